package io.millrace.servlet.context;

import io.millrace.servlet.request.HttpServletRequestImpl;
import org.jspecify.annotations.Nullable;

/**
 * A request's stay in an application that one of its dispatchers leads to. In another one than it comes from, the class
 * loader, the context, the session and the listeners are that one's for the time.
 */
final class Visit {

    /** Nothing changes. */
    private static final Visit AT_HOME = new Visit(null, null, null);

    private final @Nullable HttpServletRequestImpl request;
    private final @Nullable WebAppContext from;
    private final @Nullable ClassLoader loader;

    private Visit(
            @Nullable HttpServletRequestImpl request, @Nullable WebAppContext from, @Nullable ClassLoader loader) {
        this.request = request;
        this.from = from;
        this.loader = loader;
    }

    /** Ended by the same thread. */
    static Visit begin(WebAppContext app, HttpServletRequestImpl request) {
        if (request.app().equals(app)) {
            return AT_HOME;
        }
        Thread thread = Thread.currentThread();
        Visit visit = new Visit(request, request.dispatch().enter(app), thread.getContextClassLoader());
        thread.setContextClassLoader(app.loader());
        RequestRunner.tellInitialized(request);
        return visit;
    }

    void end() {
        if (request != null && from != null) {
            RequestRunner.tellDestroyed(request);
            request.dispatch().enter(from);
            Thread.currentThread().setContextClassLoader(loader);
        }
    }
}
