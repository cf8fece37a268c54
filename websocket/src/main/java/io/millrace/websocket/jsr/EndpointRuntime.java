package io.millrace.websocket.jsr;

import io.millrace.io.Timers;
import java.util.concurrent.Executor;
import javax.websocket.WebSocketContainer;

/**
 * What the sessions of one deployed endpoint share.
 *
 * @param container that the sessions belong to
 * @param loader the context class loader of all calls into the application
 * @param workers run what may block: the application's SendHandlers
 * @param timers for send timeouts
 * @param coders of the endpoint
 * @param calls how the endpoint is called
 * @param group the open sessions
 * @param life notified of the begin and end of each session
 * @param repeated recognises broadcasts
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

    /** Told of the sessions of a container. */
    public interface SessionLife {

        /** Nobody wants to know. */
        SessionLife UNWATCHED = new SessionLife() {
            @Override
            public void opened(JsrSession session) {}

            @Override
            public void ended(JsrSession session) {}
        };

        /** Before the endpoint's onOpen. */
        void opened(JsrSession session);

        /** After its onClose. */
        void ended(JsrSession session);
    }

    /** Runs a part of the application with its class loader as the thread's own. */
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
