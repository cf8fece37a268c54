package io.millrace.protocol;

import io.millrace.http.RequestHead;
import io.millrace.io.Turns;

/** Receives requests from protocols and passes them to exchanges. */
public interface Dispatcher {

    /**
     * Called when a request's head has arrived, by the connection's owner, on a thread that must not block unless the
     * stream's channel allows it. Returns soon; the response is sent through the stream, possibly before this method
     * returns.
     */
    void dispatch(RequestHead request, HttpStream stream);

    /** Called for a request that the protocol rejects and responds to itself; for access logs, statistics and its id. */
    default void refused(RefusedRequest request) {}

    /**
     * The dispatcher for a connection that has many requests at once: its handlers get a share of the worker threads,
     * not all.
     *
     * @param most the maximum number of its handlers that run at the same time on worker threads; {@link
     *     Integer#MAX_VALUE} for no other limit than the fair share
     * @param reached called when a handler has to wait
     */
    default Dispatcher ofConnection(int most, Runnable reached) {
        return this;
    }

    /**
     * The executor on which a connection continues that yields to others: worker threads, or the calling thread if there
     * are none.
     */
    default Turns turns() {
        return Runnable::run;
    }
}
