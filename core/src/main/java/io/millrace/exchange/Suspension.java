package io.millrace.exchange;

/**
 * The right to continue a suspended exchange. Works once: of all calls and the timeout exactly one wins and returns true;
 * the others return false and do nothing. Any thread.
 */
public interface Suspension {

    /** Goes on with a handler, as with {@link HttpExchange#dispatch(HttpHandler)}. */
    boolean resume(HttpHandler next);

    /** Ends the exchange as if the handler had returned without suspending. */
    boolean complete();

    /**
     * As {@link #complete}, on the calling thread: for completions of a response's last piece, and others that neither block nor
     * belong to an application. The connection's next request begins on this thread. Where connections' threads may block, a
     * worker does it.
     */
    boolean completeHere();

    /** Ends it as if the handler had thrown this. */
    boolean fail(Throwable cause);
}
