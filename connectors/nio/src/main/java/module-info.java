/** The NIO transport, on Millrace's own selector loop or on XNIO. */
module io.millrace.connector.nio {
    requires transitive io.millrace.core;
    // XNIO's jars are automatic modules, which don't declare that they require these two.
    requires org.jboss.threads;
    requires org.wildfly.common;
    requires xnio.api;
    requires static org.jspecify;

    provides io.millrace.io.TransportProvider with
            io.millrace.connector.nio.NioTransportProvider;
}
