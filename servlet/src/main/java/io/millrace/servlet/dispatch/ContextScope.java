package io.millrace.servlet.dispatch;

import io.millrace.servlet.app.AppView;
import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.request.HttpServletRequestImpl;
import java.util.List;
import javax.servlet.ServletRequestEvent;
import javax.servlet.ServletRequestListener;
import org.jspecify.annotations.Nullable;

/**
 * The scope of a dispatch in its target application. If that is not the request's own, class loader, context, session and
 * listeners are the target's until the end.
 */
final class ContextScope {

    /** A dispatch within the same application. */
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

    /** Begins a scope, which the same thread must end. */
    static ContextScope begin(AppView app, HttpServletRequestImpl request) {
        if (request.app().equals(app)) {
            return AT_HOME;
        }
        Thread thread = Thread.currentThread();
        ContextScope visit = new ContextScope(request, request.app(), thread.getContextClassLoader());
        move(request, app);
        thread.setContextClassLoader(app.settings().loader());
        notifyInitialized(request);
        return visit;
    }

    void end() {
        if (request != null && from != null) {
            notifyDestroyed(request);
            move(request, from);
            Thread.currentThread().setContextClassLoader(loader);
        }
    }

    private static void move(HttpServletRequestImpl request, AppView to) {
        request.facts().dispatch(request.facts().dispatch().in(to));
    }

    /** Notifies the listeners of the current application of the request (Servlet 3.1, 11.2). */
    static void notifyInitialized(HttpServletRequestImpl request) {
        List<ServletRequestListener> listeners = request.app().listeners().requests();
        if (!listeners.isEmpty()) {
            ServletRequestEvent event = new ServletRequestEvent(request.getServletContext(), request);
            for (ServletRequestListener listener : listeners) {
                listener.requestInitialized(event);
            }
        }
    }

    /** Notifies them of the end of the request, in reverse order. An exception of a listener is only logged. */
    static void notifyDestroyed(HttpServletRequestImpl request) {
        List<ServletRequestListener> listeners = request.app().listeners().requests();
        if (listeners.isEmpty()) {
            return;
        }
        ServletRequestEvent event = new ServletRequestEvent(request.getServletContext(), request);
        for (int i = listeners.size() - 1; i >= 0; i--) {
            try {
                listeners.get(i).requestDestroyed(event);
            } catch (RuntimeException | Error e) {
                ServletLog.DISPATCH.requestListenerFailed(
                        listeners.get(i).getClass().getName(), request.app().displayPath(), e);
            }
        }
    }
}
