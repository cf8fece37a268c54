package io.millrace.websocket.jsr;

import java.util.List;
import javax.websocket.CloseReason;

/** Calls the methods of one endpoint class. Immutable: the instance belongs to the session. */
public interface EndpointCalls {

    /** Calls the endpoint at the start of a session. */
    void open(JsrSession session) throws Throwable;

    /** Calls the endpoint at the end of a session. */
    void close(JsrSession session, CloseReason reason) throws Throwable;

    /**
     * Notifies the endpoint of an error.
     *
     * @return false if it has no error handler
     */
    boolean error(JsrSession session, Throwable failure) throws Throwable;

    /** The endpoint's own receivers, to which the application may add handlers. */
    List<MessageReceiver> receivers();
}
