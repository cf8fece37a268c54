/** The BIO transport: one thread for each busy connection, virtual on Java 21 and later. */
module io.millrace.connector.bio {
    requires transitive io.millrace.core;
    requires static org.jspecify;

    provides io.millrace.io.TransportProvider with
            io.millrace.connector.bio.BioTransportProvider;
}
