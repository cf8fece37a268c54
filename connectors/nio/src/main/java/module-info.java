/** The NIO transport, on XNIO. */
module io.millrace.connector.nio {
    requires transitive io.millrace.core;
    requires xnio.api;
    requires static org.jspecify;

    provides io.millrace.io.TransportProvider with
            io.millrace.connector.nio.NioTransportProvider;
}
