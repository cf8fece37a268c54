package io.millrace.exchange;

/**
 * The right to continue a suspended exchange, once: of all calls and the timeout exactly one takes effect and returns
 * true; the others return false and do nothing. Thread-safe.
 */
public interface Suspension {

    /** Continues with a handler, as {@link HttpExchange#dispatch(HttpHandler)} does, but never on the calling thread. */
    boolean resume(HttpHandler next);

    /** Ends the exchange as if the handler had returned without suspending it. */
    boolean complete();

    /**
     * Ends the exchange like {@link #complete}, on the calling thread. For completions of a response's last piece and
     * other code that neither blocks nor belongs to an application: the connection's next request may start on this
     * thread. Where the connection's threads may block, a worker is used instead.
     */
    boolean completeHere();

    /** Ends the exchange as if the handler had thrown this exception. */
    boolean fail(Throwable cause);
}
