package io.millrace.servlet.context;

import io.millrace.exchange.FailureReference;
import io.millrace.http.Method;
import io.millrace.servlet.request.AsyncCycle;
import io.millrace.servlet.request.FormArrival;
import io.millrace.servlet.request.HttpServletRequestImpl;
import io.millrace.servlet.request.UpgradedConnection;
import io.millrace.servlet.request.Verdicts;
import io.millrace.servlet.resource.ResourceTree;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import javax.servlet.ServletException;
import javax.servlet.ServletRequestEvent;
import javax.servlet.ServletRequestListener;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpUpgradeHandler;
import org.jspecify.annotations.Nullable;

/**
 * Runs one request through the application, from its first dispatch to its end. After each call into the application it is
 * settled what comes next: nothing for now (somebody will complete or dispatch it), an asynchronous dispatch, an error
 * page, the end. Always called by the owner of the exchange, on a worker.
 */
public final class RequestRunner {

    private static final String POWERED_BY =
            "Servlet/4.0 (Millrace; Java " + Runtime.version().feature() + ")";

    /** What to name beside a refused TRACE (RFC 9110, 15.5.6), whatever else the resource knows. */
    private static final String BUT_TRACE = "GET, HEAD, OPTIONS";

    private RequestRunner() {}

    /** Runs something with the application's class loader as the thread's own. */
    public static void inContext(WebAppContext app, Runnable action) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(app.loader());
        try {
            action.run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** The first dispatch. */
    static void begin(HttpServletRequestImpl request) {
        Throwable thrown = null;
        try {
            tellInitialized(request);
            if (request.connector().poweredBy()) {
                request.response().setHeader("X-Powered-By", POWERED_BY);
            }
            if (isAdmitted(request)) {
                if (FormArrival.await(request, () -> proceed(request, () -> enter(request)))) {
                    return;
                }
                thrown = enter(request);
            }
        } catch (Throwable t) {
            thrown = t;
        }
        settle(request, thrown);
    }

    /** Goes through filters and servlet. Returns what they threw. */
    private static @Nullable Throwable enter(HttpServletRequestImpl request) {
        try {
            DispatchChain chain = request.app()
                    .routes()
                    .chain(
                            request.dispatch().view().match(),
                            request.dispatch().view().type());
            request.dispatch().enter(chain);
            chain.run(request, request.response());
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    private static boolean isAdmitted(HttpServletRequestImpl request) throws IOException, ServletException {
        if (request.getMethod().equals(Method.TRACE) && !request.connector().allowTrace()) {
            request.response().setHeader("Allow", BUT_TRACE);
            request.response().sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
            return false;
        }
        if (mayBeProtected(request)
                && ResourceTree.isProtected(request.dispatch().view().match().path())) {
            request.response().sendError(HttpServletResponse.SC_NOT_FOUND);
            return false;
        }
        return request.app().access().isIdle()
                || Verdicts.apply(request.security().admit(), request, request.response());
    }

    /** A first look that costs nothing: does the path begin with the W or M of WEB-INF or META-INF? */
    private static boolean mayBeProtected(HttpServletRequestImpl request) {
        String path = request.exchange().request().path().decoded();
        int first = request.app().contextPath().length() + 1;
        return path.length() > first && "WwMm".indexOf(path.charAt(first)) >= 0;
    }

    /**
     * An asynchronous request goes on: somebody has decided what becomes of it, an I/O listener is due, or its time is up.
     *
     * @param first a call into the application, if there is to be one, which gives what it threw
     */
    public static void proceed(HttpServletRequestImpl request, Supplier<@Nullable Throwable> first) {
        inContext(request.app(), () -> settle(request, first.get()));
    }

    /** The exchange has ended while the request waited to be completed. On a thread that must not block. */
    public static void abandoned(HttpServletRequestImpl request, @Nullable Throwable cause) {
        Throwable reason = cause != null ? cause : new IOException("the exchange was ended");
        Runnable end = () -> inContext(request.app(), () -> endAbandoned(request, reason));
        try {
            request.exchange().workers().execute(end);
        } catch (RejectedExecutionException stopping) {
            runHere(end); // mostly since the server has stopped
        }
    }

    /** Runs what the application is to be told on a thread that serves others too, which must not be left interrupted. */
    public static void runHere(Runnable last) {
        try {
            last.run();
        } finally {
            Thread.interrupted();
        }
    }

    private static void endAbandoned(HttpServletRequestImpl request, Throwable cause) {
        AsyncCycle cycle = request.asyncCycle();
        if (cycle != null) {
            cycle.abandon(cause);
        }
        finish(request);
    }

    private static void settle(HttpServletRequestImpl request, @Nullable Throwable thrownBefore) {
        Throwable thrown = thrownBefore;
        while (true) {
            AsyncCycle cycle = request.asyncCycle();
            if (cycle == null || !request.isAsyncStarted()) {
                answerErrors(request, thrown);
                thrown = null;
                if (request.isAsyncStarted()) {
                    continue; // the error page started it
                }
                finish(request);
                return;
            }
            if (thrown != null && !cycle.fail(thrown)) {
                continue;
            }
            thrown = null;
            if (cycle.isUndecidedAfterListeners()) {
                answerUndecided(request, cycle);
            }
            switch (cycle.returned()) {
                case NOTHING -> {
                    return;
                }
                case DISPATCH -> thrown = dispatched(request, cycle);
                case FINISH -> thrown = null;
            }
        }
    }

    private static void answerErrors(HttpServletRequestImpl request, @Nullable Throwable thrown) {
        var error = request.response().error();
        if (thrown != null) {
            ErrorAnswers.thrown(request, thrown);
        } else if (error != null) {
            ErrorAnswers.sent(request, error);
        }
    }

    /** No listener of a cycle that expired or failed had anything to say (Servlet 3.1, 2.3.3.3). */
    private static void answerUndecided(HttpServletRequestImpl request, AsyncCycle cycle) {
        Throwable failure = cycle.failure();
        if (failure != null) {
            ErrorAnswers.thrown(request, failure);
        } else {
            ErrorAnswers.status(request, HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        }
        cycle.giveUp();
    }

    private static @Nullable Throwable dispatched(HttpServletRequestImpl request, AsyncCycle cycle) {
        try {
            Dispatcher dispatcher = Dispatchers.find(cycle.targetApp(), cycle.target());
            if (dispatcher == null) {
                request.response().sendError(HttpServletResponse.SC_NOT_FOUND);
            } else {
                dispatcher.async(request, cycle.getRequest(), cycle.getResponse());
            }
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    private static void finish(HttpServletRequestImpl request) {
        AsyncCycle cycle = request.asyncCycle();
        if (cycle != null) {
            cycle.tellCompleted();
        }
        tellDestroyed(request);
        try {
            request.end();
        } catch (RuntimeException | Error e) { // of a session store, say; the response is to be sent all the same
            taskFailed(request, e);
        }
        HttpUpgradeHandler handler = request.upgradeHandler();
        if (handler != null && request.response().getStatus() == HttpServletResponse.SC_SWITCHING_PROTOCOLS) {
            request.exchange().upgrade(UpgradedConnection.by(request.app(), handler));
        }
        try {
            request.response().closeBody();
        } catch (IOException e) {
            request.exchange().abort(e);
        } catch (RuntimeException supplier) { // of trailer fields
            taskFailed(request, supplier);
            request.exchange().abort(supplier);
        }
        request.close();
    }

    static void tellInitialized(HttpServletRequestImpl request) {
        List<ServletRequestListener> listeners = request.app().listeners().requests();
        if (!listeners.isEmpty()) {
            ServletRequestEvent event = new ServletRequestEvent(request.getServletContext(), request);
            for (ServletRequestListener listener : listeners) {
                listener.requestInitialized(event);
            }
        }
    }

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
                listenerFailed(request.app(), listeners.get(i), e);
            }
        }
    }

    /** A task that fails when its request is settled is a line in the log, unless its client is the reason. */
    public static void taskFailed(HttpServletRequestImpl request, Throwable failure) {
        if (ClientFault.of(failure) != null) {
            ContextMessages.LOG.debugf(failure, "a task's client is gone, or was refused");
            return;
        }
        ContextMessages.LOG.servletFailed(
                request.servlet().getServletName(),
                request.app().settings().displayPath(),
                FailureReference.give(request.exchange()),
                failure);
    }

    /** A listener that fails is a line in the log; the request goes on. */
    public static void listenerFailed(WebAppContext app, Object listener, Throwable failure) {
        ContextMessages.LOG.listenerFailed(
                listener.getClass().getName(), app.settings().displayPath(), failure);
    }
}
