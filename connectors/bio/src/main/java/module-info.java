/** The BIO transport: a thread for each busy connection, virtual where Java has them. */
module io.millrace.connector.bio {
    requires transitive io.millrace.core;
    requires static org.jspecify;

    provides io.millrace.io.TransportProvider with
            io.millrace.connector.bio.BioTransportProvider;
}
