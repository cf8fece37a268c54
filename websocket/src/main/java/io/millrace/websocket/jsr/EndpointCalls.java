package io.millrace.websocket.jsr;

import java.util.List;
import javax.websocket.CloseReason;

/** How the endpoints of one class are called. Immutable: the instance to be called is the session's. */
public interface EndpointCalls {

    /** Calls the endpoint at the start of a session. */
    void open(JsrSession session) throws Throwable;

    /** Calls it at the end. */
    void close(JsrSession session, CloseReason reason) throws Throwable;

    /**
     * Tells it of an error.
     *
     * @return false if it has no error handler
     */
    boolean error(JsrSession session, Throwable failure) throws Throwable;

    /** What gets messages before the application has added any handler. */
    List<MessageReceiver> receivers();
}
