package io.millrace.io;

import java.util.Objects;

/**
 * How a transport treats its sockets. Immutable; the {@code with…} methods make changed copies.
 *
 * @param name in thread names and log lines
 * @param ioThreads threads that poll; 0 means one per processor
 * @param acceptCount the listen backlog
 * @param maxConnections open at once; at the limit accepting pauses, nobody is refused. -1: no limit
 * @param tcpNoDelay send small segments at once
 * @param soKeepAlive TCP keep-alive probes
 * @param soReuseAddress bind although old connections linger
 * @param soLinger seconds; -1 leaves the system's default
 * @param sendBuffer SO_SNDBUF of accepted sockets in bytes; 0 leaves the system's default
 * @param receiveBuffer SO_RCVBUF in bytes; 0 leaves the system's default
 * @param buffers where reads lease their chunks
 * @param timers for idle timeouts
 */
public record TransportOptions(
        String name,
        int ioThreads,
        int acceptCount,
        int maxConnections,
        boolean tcpNoDelay,
        boolean soKeepAlive,
        boolean soReuseAddress,
        int soLinger,
        int sendBuffer,
        int receiveBuffer,
        BufferPool buffers,
        Timers timers) {

    public TransportOptions {
        Objects.requireNonNull(name);
        Objects.requireNonNull(buffers);
        Objects.requireNonNull(timers);
    }

    /** Tomcat's defaults: acceptCount 100, maxConnections 8192, tcpNoDelay. */
    public static TransportOptions defaults(String name, BufferPool buffers, Timers timers) {
        return new TransportOptions(name, 0, 100, 8192, true, false, true, -1, 0, 0, buffers, timers);
    }
}
