package io.millrace.exchange;

/** Collects a response's body and sends it in larger pieces ({@link ResponseSink#collect}). Called by the exchange. */
public interface BodyCollector {

    /**
     * The last handler has returned. Ends the body if anything was written, flushed or closed here.
     *
     * @return false if not: then the exchange ends the response itself
     */
    boolean closeIfUsed();

    /** True if nothing more can be written here. */
    boolean isClosed();

    /** The exchange is over, or its response was replaced: drops what is unsent. Any thread; more than once. */
    void discard();
}
