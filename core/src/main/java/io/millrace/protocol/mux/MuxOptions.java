package io.millrace.protocol.mux;

import java.time.Duration;

/**
 * The limits of a connector whose connections carry many streams each. Immutable; {@link #DEFAULTS} and the {@code with}
 * methods make others. A {@link Duration#ZERO} waits for ever.
 *
 * @param maxConcurrentStreams how many requests one connection may have under way; more are refused. Those that the peer has
 *     reset count until their handlers have returned
 * @param initialWindow how many octets of a body the peer may send before anybody asks for it
 * @param streamWindow the same once the application reads the body; not less than {@code initialWindow}
 * @param connectionWindow how many octets of bodies may be on their way on the whole connection; bounds no memory, since it is
 *     opened again as octets arrive
 * @param maxResponseHeaderSize octets of a response's header fields; a larger head is replaced by status 500
 * @param connectionTimeout for the connection's begin, for the rest of a frame or header block that has begun, for the
 *     acknowledgment of settings, and for the peer to take anything that is written
 * @param keepAliveTimeout how long a connection may be without a stream
 * @param uploadTimeout for each wait for a request's body
 * @param streamWriteTimeout how long a response may wait for its window to be opened
 * @param allowHalfClose may a peer end its output and still get the responses that are under way?
 * @param priority of requests that name none
 */
public record MuxOptions(
        int maxConcurrentStreams,
        int initialWindow,
        int streamWindow,
        int connectionWindow,
        int maxResponseHeaderSize,
        Duration connectionTimeout,
        Duration keepAliveTimeout,
        Duration uploadTimeout,
        Duration streamWriteTimeout,
        boolean allowHalfClose,
        Priority priority) {

    /** The window that streams and connections have unless something else is agreed on (RFC 9113, 6.9.2). */
    public static final int USUAL_WINDOW = 65_535;

    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(20);

    /** What a connector has that says nothing. */
    public static final MuxOptions DEFAULTS = new MuxOptions(
            200,
            USUAL_WINDOW,
            256 * 1024,
            16 * 1024 * 1024,
            8 * 1024,
            USUAL_TIMEOUT,
            USUAL_TIMEOUT,
            USUAL_TIMEOUT,
            USUAL_TIMEOUT,
            true,
            Priority.UNSAID);

    /** Checks the limits. */
    public MuxOptions {
        require(maxConcurrentStreams > 0, "maxConcurrentStreams", maxConcurrentStreams, "at least 1");
        require(initialWindow >= 0, "initialWindowSize", initialWindow, "0 to 2147483647");
        require(streamWindow >= initialWindow, "streamWindow", streamWindow, "at least initialWindowSize");
        require(connectionWindow >= USUAL_WINDOW, "connectionWindow", connectionWindow, "65535 to 2147483647");
        require(maxResponseHeaderSize > 0, "maxResponseHeaderSize", maxResponseHeaderSize, "at least 1");
    }

    private static void require(boolean fulfilled, String name, int value, String expected) {
        if (!fulfilled) {
            throw new IllegalArgumentException(name + " is " + value + "; expected " + expected);
        }
    }

    /** The same, for so many requests at a time. */
    public MuxOptions withMaxConcurrentStreams(int most) {
        return with(most, initialWindow, streamWindow, connectionWindow, maxResponseHeaderSize, priority);
    }

    /** The same with other windows; that of streams which are read is not less than the initial one. */
    public MuxOptions withWindows(int initial, int stream, int connection) {
        return with(
                maxConcurrentStreams, initial, Math.max(initial, stream), connection, maxResponseHeaderSize, priority);
    }

    /** The same for larger or smaller response heads. */
    public MuxOptions withMaxResponseHeaderSize(int octets) {
        return with(maxConcurrentStreams, initialWindow, streamWindow, connectionWindow, octets, priority);
    }

    /** The same, where requests that name no priority have this one. */
    public MuxOptions withPriority(Priority unsaid) {
        return with(maxConcurrentStreams, initialWindow, streamWindow, connectionWindow, maxResponseHeaderSize, unsaid);
    }

    /** The same with other timeouts for the connection. */
    public MuxOptions withTimeouts(Duration connection, Duration keepAlive) {
        return new MuxOptions(
                maxConcurrentStreams,
                initialWindow,
                streamWindow,
                connectionWindow,
                maxResponseHeaderSize,
                connection,
                keepAlive,
                uploadTimeout,
                streamWriteTimeout,
                allowHalfClose,
                priority);
    }

    /** The same with other timeouts for each stream. */
    public MuxOptions withStreamTimeouts(Duration upload, Duration write) {
        return new MuxOptions(
                maxConcurrentStreams,
                initialWindow,
                streamWindow,
                connectionWindow,
                maxResponseHeaderSize,
                connectionTimeout,
                keepAliveTimeout,
                upload,
                write,
                allowHalfClose,
                priority);
    }

    /** The same, where a peer that ends its output has left, or has not. */
    public MuxOptions withHalfClose(boolean allowed) {
        return new MuxOptions(
                maxConcurrentStreams,
                initialWindow,
                streamWindow,
                connectionWindow,
                maxResponseHeaderSize,
                connectionTimeout,
                keepAliveTimeout,
                uploadTimeout,
                streamWriteTimeout,
                allowed,
                priority);
    }

    private MuxOptions with(int streams, int initial, int stream, int connection, int headerSize, Priority unsaid) {
        return new MuxOptions(
                streams,
                initial,
                stream,
                connection,
                headerSize,
                connectionTimeout,
                keepAliveTimeout,
                uploadTimeout,
                streamWriteTimeout,
                allowHalfClose,
                unsaid);
    }
}
