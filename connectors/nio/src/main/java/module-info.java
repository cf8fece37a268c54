/** The NIO transport, on XNIO. */
module io.millrace.connector.nio {
    requires transitive io.millrace.core;
    requires xnio.api;
    requires org.jboss.logging;
    requires static org.jboss.logging.annotations;
    requires static org.jspecify;

    provides io.millrace.io.TransportProvider with
            io.millrace.connector.nio.NioTransportProvider;
}
