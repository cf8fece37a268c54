package io.millrace.protocol;

import io.millrace.http.RequestHead;
import io.millrace.io.Turns;

/** The single door from protocols to exchanges. */
public interface Dispatcher {

    /**
     * A request's head has arrived. Called by the connection's owner, on a thread that may not block unless the stream
     * says so; it returns soon, and the answer comes through the stream, perhaps before that.
     */
    void dispatch(RequestHead request, HttpStream stream);

    /** A request was refused by its protocol and answered there; for the access log and the statistics. */
    default void refused(RefusedRequest request) {}

    /** Where a connection goes on that lets others go first: on threads that may block. In place, if there are no others. */
    default Turns turns() {
        return Runnable::run;
    }
}
