package io.millrace.websocket.jsr;

import io.millrace.io.Timers;
import java.util.concurrent.Executor;
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
        SessionGroup group,
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
}
