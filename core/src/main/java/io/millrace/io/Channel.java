package io.millrace.io;

/**
 * What a connection, a stream on it and an exchange on that stream have in common. It is the same object at all three
 * levels, unless a layer between them replaces something ({@link #with}, {@link #withoutFiles}).
 *
 * @param info addresses, TLS session, ALPN protocol
 * @param buffers the pool for reading and writing
 * @param sendsFiles whether a {@linkplain Payload.FileRegion file region} is sent by the operating system (sendfile)
 *     without being copied through this process. False, for example, if bodies are put into frames or packets
 * @param emptyReadsCost whether a read that finds nothing costs system calls; the reader then does other pending work
 *     first, which gives the peer time to send more
 * @param blocker how a thread waits for the peer
 * @param timers the server's timers, for timeouts
 * @param meter counts what happens on the connections of their connector
 */
public record Channel(
        ConnectionInfo info,
        BufferPool buffers,
        boolean sendsFiles,
        boolean emptyReadsCost,
        Blocker blocker,
        Timers timers,
        ConnectionMeter meter) {

    /** Counts the peers that reach a limit of their connector. */
    public ReachedLimits limits() {
        return meter.limits();
    }

    /** Whether code that the connection calls may block its thread. */
    public boolean mayBlock() {
        return blocker.mayBlock();
    }

    /** The same channel with other information about its two ends. */
    public Channel with(ConnectionInfo other) {
        return new Channel(other, buffers, sendsFiles, emptyReadsCost, blocker, timers, meter);
    }

    /**
     * The channel of the streams of this connection: waiting for one stream must not block the thread that reads for all
     * of them.
     */
    public Channel forStreams() {
        return new Channel(info, buffers, false, false, new SharedReaderBlocker(blocker), timers, meter);
    }

    /** The same channel, with files copied through this process. */
    public Channel withoutFiles() {
        return new Channel(info, buffers, false, emptyReadsCost, blocker, timers, meter);
    }
}
