package io.millrace.io;

import java.util.concurrent.atomic.LongAdder;

/** What is counted of a connector's connections, below HTTP. Thread-safe. */
public final class ConnectionMeter {

    private final LongAdder accepted = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder streams = new LongAdder();
    private final LongAdder resetsByPeer = new LongAdder();
    private final LongAdder resetsByServer = new LongAdder();
    private final ReachedLimits limits = new ReachedLimits();
    private final AbortedRequests aborted = new AbortedRequests();

    /** A meter that has counted nothing. */
    public ConnectionMeter() {}

    /** A connection was accepted. */
    public void accept() {
        accepted.increment();
    }

    /** So many bytes were read from a socket. */
    public void receive(long bytes) {
        received.add(bytes);
    }

    /** A socket took so many bytes. */
    public void send(long bytes) {
        sent.add(bytes);
    }

    /** A stream of HTTP/2 or SPDY was opened. */
    public void openStream() {
        streams.increment();
    }

    /** Such a stream has ended. */
    public void closeStream() {
        streams.decrement();
    }

    /** A stream was reset. */
    public void reset(boolean byPeer) {
        (byPeer ? resetsByPeer : resetsByServer).increment();
    }

    /** The number of connections that were accepted. */
    public long accepted() {
        return accepted.sum();
    }

    /** The bytes that were read from sockets, with TLS and framing. */
    public long received() {
        return received.sum();
    }

    /** The bytes that sockets took, with TLS and framing. */
    public long sent() {
        return sent.sum();
    }

    /** The streams of HTTP/2 and SPDY that are open. */
    public long streams() {
        return streams.sum();
    }

    /** The streams of HTTP/2 and SPDY that were reset. */
    public long resets(boolean byPeer) {
        return (byPeer ? resetsByPeer : resetsByServer).sum();
    }

    /** The addresses whose requests are aborted. */
    public AbortedRequests aborted() {
        return aborted;
    }

    /** The limits that clients have reached. */
    public ReachedLimits limits() {
        return limits;
    }
}
