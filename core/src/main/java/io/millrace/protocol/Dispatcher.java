package io.millrace.protocol;

import io.millrace.http.RequestHead;
import io.millrace.io.Turns;

/** The single door from protocols to exchanges. */
public interface Dispatcher {

    /**
     * A request's head has arrived. Called by the connection's owner, on a thread that may not block unless the stream
     * says so; it returns soon, and the answer comes through the stream, possibly before that.
     */
    void dispatch(RequestHead request, HttpStream stream);

    /** A request was refused by its protocol and answered there; for the access log and the statistics. */
    default void refused(RefusedRequest request) {}

    /** Where a connection that yields to others continues: on threads that may block, or in place if there are none. */
    default Turns turns() {
        return Runnable::run;
    }
}
