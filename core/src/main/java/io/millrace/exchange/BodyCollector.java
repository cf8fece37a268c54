package io.millrace.exchange;

/** Buffers the body of a response and sends it in larger pieces ({@link ResponseSink#collect}). Called by the exchange. */
public interface BodyCollector {

    /**
     * Called when the last handler has returned. Ends the body if anything was written or flushed, or if the collector
     * was closed.
     *
     * @return false if it was not used: the exchange then ends the response itself
     */
    boolean closeIfUsed();

    /** Whether the collector is closed, so that nothing more can be written. */
    boolean isClosed();

    /**
     * Discards unsent bytes, because the exchange has ended or the response is replaced. Called by any thread, possibly
     * more than once.
     */
    void discard();
}
