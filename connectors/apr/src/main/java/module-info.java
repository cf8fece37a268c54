/** The APR transport: sockets and pollsets of the Apache Portable Runtime, called by {@code java.lang.foreign}. */
module io.millrace.connector.apr {
    requires transitive io.millrace.core;
    requires io.millrace.natives;
    requires org.jboss.logging;
    requires static org.jboss.logging.annotations;
    requires static org.jspecify;

    provides io.millrace.io.TransportProvider with
            io.millrace.connector.apr.AprTransportProvider;
}
