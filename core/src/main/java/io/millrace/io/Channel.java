package io.millrace.io;

/**
 * What a connection, a stream on it and an exchange on that stream have in common: it is the same at all three levels
 * unless a layer between them says something else ({@link #with}, {@link #withoutFiles}).
 *
 * @param info addresses, TLS session, ALPN result
 * @param buffers where to lease buffers
 * @param sendsFiles does a {@linkplain Payload.FileRegion piece of a file} go from the system's memory to the peer, uncopied
 *     by this process? False as well where bodies are put into frames or packets
 * @param emptyReadsCost does a read that finds nothing cost system calls? Then it is better to do something else first, if
 *     there is anything to be done, so that the peer has the time to send more
 * @param blocker how a thread waits for the peer
 * @param timers for what has a time limit; they are the server's
 */
public record Channel(
        ConnectionInfo info,
        BufferPool buffers,
        boolean sendsFiles,
        boolean emptyReadsCost,
        Blocker blocker,
        Timers timers) {

    /** May code that the connection calls block its thread? */
    public boolean mayBlock() {
        return blocker.mayBlock();
    }

    /** The same, with other things known of its two ends. */
    public Channel with(ConnectionInfo other) {
        return new Channel(other, buffers, sendsFiles, emptyReadsCost, blocker, timers);
    }

    /** The same for the streams of a connection: what waits for one of them must not block the thread that reads for all. */
    public Channel forStreams() {
        return new Channel(info, buffers, false, false, new SharedReaderBlocker(blocker), timers);
    }

    /** The same, where this process copies what it sends of files. */
    public Channel withoutFiles() {
        return new Channel(info, buffers, false, emptyReadsCost, blocker, timers);
    }
}
