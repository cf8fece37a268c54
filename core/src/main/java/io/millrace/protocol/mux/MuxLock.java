package io.millrace.protocol.mux;

/**
 * The lock of a multiplexed connection: its monitor guards the streams and their states, the order of the output and its
 * windows, the frame writer, and the batch that is being filled. Nothing that may block is called while it is held.
 *
 * <p>A method that must be called with the lock held says so by {@link #assertHeld}, which the tests execute.
 */
public final class MuxLock {

    MuxLock() {}

    /** Fails if assertions are enabled and the calling thread does not hold the lock. */
    public void assertHeld() {
        assert Thread.holdsLock(this) : "called without the lock of the connection";
    }
}
