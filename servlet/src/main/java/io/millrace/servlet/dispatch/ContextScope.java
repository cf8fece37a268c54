package io.millrace.servlet.dispatch;

import io.millrace.servlet.app.AppView;
import io.millrace.servlet.request.HttpServletRequestImpl;
import java.util.List;
import javax.servlet.ServletRequestEvent;
import javax.servlet.ServletRequestListener;
import org.jspecify.annotations.Nullable;

/**
 * The time that a request spends in the application that one of its dispatchers leads to. In another application than its own,
 * class loader, context, session and listeners are that application's meanwhile.
 */
final class ContextScope {

    /** Nothing changes. */
    private static final ContextScope AT_HOME = new ContextScope(null, null, null);

    private final @Nullable HttpServletRequestImpl request;
    private final @Nullable AppView from;
    private final @Nullable ClassLoader loader;

    private ContextScope(
            @Nullable HttpServletRequestImpl request, @Nullable AppView from, @Nullable ClassLoader loader) {
        this.request = request;
        this.from = from;
        this.loader = loader;
    }

    /** Ended by the same thread. */
    static ContextScope begin(AppView app, HttpServletRequestImpl request) {
        if (request.app().equals(app)) {
            return AT_HOME;
        }
        Thread thread = Thread.currentThread();
        ContextScope visit = new ContextScope(request, request.enter(app), thread.getContextClassLoader());
        thread.setContextClassLoader(app.settings().loader());
        tellInitialized(request);
        return visit;
    }

    void end() {
        if (request != null && from != null) {
            tellDestroyed(request);
            request.enter(from);
            Thread.currentThread().setContextClassLoader(loader);
        }
    }

    /** Tells the listeners of the application that the request has come into it (Servlet 3.1, 11.2). */
    static void tellInitialized(HttpServletRequestImpl request) {
        List<ServletRequestListener> listeners = request.app().listeners().requests();
        if (!listeners.isEmpty()) {
            ServletRequestEvent event = new ServletRequestEvent(request.getServletContext(), request);
            for (ServletRequestListener listener : listeners) {
                listener.requestInitialized(event);
            }
        }
    }

    /** Tells them that it leaves, in reverse order. A listener that fails is a line in the log; the request goes on. */
    static void tellDestroyed(HttpServletRequestImpl request) {
        List<ServletRequestListener> listeners = request.app().listeners().requests();
        if (listeners.isEmpty()) {
            return;
        }
        ServletRequestEvent event = new ServletRequestEvent(request.getServletContext(), request);
        for (int i = listeners.size() - 1; i >= 0; i--) {
            try {
                listeners.get(i).requestDestroyed(event);
            } catch (RuntimeException | Error e) {
                DispatchMessages.LOG.listenerFailed(
                        listeners.get(i).getClass().getName(), request.app().displayPath(), e);
            }
        }
    }
}
