package io.millrace.io;

import java.util.Objects;

/**
 * How a transport treats its sockets. Immutable; the {@code with…} methods make changed copies.
 *
 * @param name in thread names and log lines
 * @param ioThreads threads that poll; 0 means one per processor
 * @param loop the event loop those run, one of {@link TransportProvider#loops}; empty: the transport's own choice
 * @param acceptCount the listen backlog
 * @param maxConnections open at once; at the limit accepting pauses, nobody is refused. -1: no limit
 * @param tcpNoDelay send small segments at once
 * @param soKeepAlive TCP keep-alive probes
 * @param soReuseAddress bind although old connections linger
 * @param soLinger seconds; -1 leaves the system's default
 * @param sendBuffer SO_SNDBUF of accepted sockets in bytes; 0 leaves the system's default
 * @param receiveBuffer SO_RCVBUF in bytes; 0 leaves the system's default
 * @param maxThreads most threads that serve connections where each has one of its own (bio on platform threads)
 * @param threads what kind of threads those are
 * @param buffers where reads lease their chunks
 * @param timers for idle timeouts
 */
public record TransportOptions(
        String name,
        int ioThreads,
        String loop,
        int acceptCount,
        int maxConnections,
        boolean tcpNoDelay,
        boolean soKeepAlive,
        boolean soReuseAddress,
        int soLinger,
        int sendBuffer,
        int receiveBuffer,
        int maxThreads,
        Threads threads,
        BufferPool buffers,
        Timers timers) {

    /** The kind of threads. */
    public enum Threads {
        /** Virtual where Java has them (21 and later), platform threads otherwise. */
        AUTO,
        VIRTUAL,
        PLATFORM
    }

    public TransportOptions {
        Objects.requireNonNull(name);
        Objects.requireNonNull(loop);
        Objects.requireNonNull(threads);
        Objects.requireNonNull(buffers);
        Objects.requireNonNull(timers);
    }

    /** Tomcat's defaults: acceptCount 100, maxConnections 8192, tcpNoDelay, maxThreads 200. */
    public static TransportOptions defaults(String name, BufferPool buffers, Timers timers) {
        return new TransportOptions(
                name, 0, "", 100, 8192, true, false, true, -1, 0, 0, 200, Threads.AUTO, buffers, timers);
    }

    /** The same with another limit of connections. */
    public TransportOptions withMaxConnections(int value) {
        return copy(value, maxThreads, threads);
    }

    /** The same with another event loop. */
    public TransportOptions withLoop(String value) {
        return new TransportOptions(
                name,
                ioThreads,
                value,
                acceptCount,
                maxConnections,
                tcpNoDelay,
                soKeepAlive,
                soReuseAddress,
                soLinger,
                sendBuffer,
                receiveBuffer,
                maxThreads,
                threads,
                buffers,
                timers);
    }

    /** The same with other threads. */
    public TransportOptions withThreads(int most, Threads kind) {
        return copy(maxConnections, most, kind);
    }

    private TransportOptions copy(int otherMaxConnections, int otherMaxThreads, Threads otherThreads) {
        return new TransportOptions(
                name,
                ioThreads,
                loop,
                acceptCount,
                otherMaxConnections,
                tcpNoDelay,
                soKeepAlive,
                soReuseAddress,
                soLinger,
                sendBuffer,
                receiveBuffer,
                otherMaxThreads,
                otherThreads,
                buffers,
                timers);
    }
}
