package io.millrace.websocket.jsr;

import io.millrace.io.Timers;
import java.util.List;
import java.util.concurrent.Executor;
import javax.websocket.CloseReason;
import javax.websocket.WebSocketContainer;

/**
 * The objects that the sessions of one deployed endpoint share.
 *
 * @param container the container of the sessions
 * @param loader the context class loader of all calls into the application
 * @param workers call the application's SendHandlers, which may block
 * @param timers for send timeouts
 * @param coders the endpoint's encoder and decoder classes
 * @param calls calls the endpoint
 * @param group the open sessions
 * @param life notified of the start and end of each session
 * @param repeated detects broadcasts
 */
public record EndpointRuntime(
        WebSocketContainer container,
        ClassLoader loader,
        Executor workers,
        Timers timers,
        CoderTypes coders,
        EndpointCalls calls,
        EndpointSessions group,
        SessionLife life,
        RepeatedText repeated) {

    /** A listener for the start and end of sessions. */
    public interface SessionLife {

        /** Called before the endpoint's onOpen. */
        void opened(JsrSession session);

        /** Called after the endpoint's onClose. */
        void ended(JsrSession session);
    }

    /** Runs code of the application with its class loader as the thread's context class loader. */
    void run(Runnable action) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            action.run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

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
        List<MessageReceivers.Receiver> receivers();
    }
}
