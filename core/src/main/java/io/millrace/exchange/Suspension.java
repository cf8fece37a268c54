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

    /** Ends it as if the handler had thrown this. */
    boolean fail(Throwable cause);
}
