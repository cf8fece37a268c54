/** The NIO2 transport, on asynchronous channels. */
module io.millrace.connector.nio2 {
    requires transitive io.millrace.core;
    requires static org.jspecify;

    provides io.millrace.io.TransportProvider with
            io.millrace.connector.nio2.Nio2TransportProvider;
}
