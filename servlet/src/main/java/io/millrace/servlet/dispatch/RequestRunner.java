package io.millrace.servlet.dispatch;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.TunnelHandler;
import io.millrace.http.Method;
import io.millrace.servlet.request.AsyncMode;
import io.millrace.servlet.request.Dispatch;
import io.millrace.servlet.request.DispatchView;
import io.millrace.servlet.request.HttpServletRequestImpl;
import io.millrace.servlet.request.IoListeners;
import io.millrace.servlet.request.Verdicts;
import io.millrace.servlet.resource.ResourceTree;
import io.millrace.servlet.session.SessionUnavailableException;
import io.millrace.servlet.settings.ServletOptions;
import java.io.IOException;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.servlet.AsyncContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpUpgradeHandler;
import org.jspecify.annotations.Nullable;

/**
 * Runs one request through its application, from its first dispatch to its end, through all its asynchronous cycles. After each
 * call into the application, {@link #settle} determines what comes next: suspension (until the application completes or
 * dispatches), an asynchronous dispatch, an error page, or the end. Confined to the exchange's owner, on a worker, except where
 * noted.
 */
final class RequestRunner implements AsyncMode {

    private static final String POWERED_BY =
            "Servlet/4.0 (Millrace; Java " + Runtime.version().feature() + ")";

    /** The Allow field of a refused TRACE (RFC 9110, 15.5.6), regardless of the resource. */
    private static final String BUT_TRACE = "GET, HEAD, OPTIONS";

    private final HttpServletRequestImpl request;
    /** The latest cycle; null if none was started. */
    private volatile @Nullable AsyncCycle cycle;
    /** True once application code no longer sees this request. */
    private boolean ended;

    private boolean endWatched;

    RequestRunner(HttpExchange exchange, DispatchView view) {
        request = new HttpServletRequestImpl(exchange, view, this);
    }

    /** Evaluates a function of the request without running it. */
    <T> @Nullable T ask(Function<HttpServletRequest, @Nullable T> question) {
        try {
            return question.apply(request);
        } finally {
            ended = true;
            request.end();
        }
    }

    /** Runs the first dispatch. */
    void begin() {
        Throwable thrown = null;
        try {
            ContextScope.notifyInitialized(request);
            if (request.facts().connector().get(ServletOptions.X_POWERED_BY)) {
                request.response().setHeader("X-Powered-By", POWERED_BY);
            }
            if (isAdmitted()) {
                FormArrival form = FormArrival.awaited(request);
                if (form != null) {
                    watchEnd();
                    form.await(() -> proceed(this::enter));
                    return;
                }
                thrown = enter();
            }
        } catch (Throwable t) {
            thrown = t;
        }
        settle(thrown);
    }

    /** Answers with the application's error page what a handler before the application has refused. */
    void refuse(int status) {
        Throwable thrown = null;
        try {
            ContextScope.notifyInitialized(request);
            request.response().sendError(status);
        } catch (Throwable t) {
            thrown = t;
        }
        settle(thrown);
    }

    /** Runs filters and servlet. Returns what they threw. */
    private @Nullable Throwable enter() {
        try {
            request.facts().dispatch().chain().run(request, request, request.response());
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    private boolean isAdmitted() throws IOException, ServletException {
        if (request.getMethod().equals(Method.TRACE)
                && !request.facts().connector().get(ServletOptions.ALLOW_TRACE)) {
            request.response().setHeader("Allow", BUT_TRACE);
            request.response().sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
            return false;
        }
        if (mayBeProtected() && ResourceTree.isProtected(request.view().match().path())) {
            request.response().sendError(HttpServletResponse.SC_NOT_FOUND);
            return false;
        }
        return request.home().access().isIdle()
                || Verdicts.apply(request.security().admit(), request, request.response(), request.response());
    }

    /** A cheap test: true if the path begins with the W or M of WEB-INF or META-INF. */
    private boolean mayBeProtected() {
        String path = request.exchange().request().path().decoded();
        int first = request.home().contextPath().length() + 1;
        return path.length() > first && "WwMm".indexOf(path.charAt(first)) >= 0;
    }

    // Asynchronous cycles.

    @Override
    public AsyncContext start(ServletRequest with, ServletResponse to, boolean original) {
        if (!request.isAsyncSupported()) {
            throw new IllegalStateException(
                    "servlet " + request.facts().servlet().getServletName()
                            + " or a filter before it does not support asynchronous requests; set async-supported on all of them");
        }
        if (ended || isStarted()) {
            throw new IllegalStateException(
                    ended
                            ? "the request has ended"
                            : "startAsync() was called already and its asynchronous cycle has not ended");
        }
        AsyncCycle before = cycle;
        AsyncCycle next = before == null
                ? new AsyncCycle(
                        request,
                        with,
                        to,
                        original,
                        request.facts().containerView(),
                        new IoListeners(this::wake),
                        this::proceed)
                : new AsyncCycle(request, with, to, original, before.arrival(), before.io(), this::proceed);
        cycle = next;
        if (before != null) {
            before.restartedAs(next);
        }
        return next;
    }

    @Override
    public boolean isStarted() {
        AsyncCycle current = cycle;
        return current != null && current.isStarted();
    }

    @Override
    public AsyncContext context() {
        AsyncCycle current = cycle;
        if (current == null) {
            throw new IllegalStateException("the request was not put into asynchronous mode by startAsync()");
        }
        return current;
    }

    @Override
    public IoListeners listeners(String caller) {
        AsyncCycle current = cycle;
        if (current == null || !current.isStarted()) {
            throw new IllegalStateException(caller + " requires an asynchronous request: call startAsync() first");
        }
        return current.io();
    }

    /** Wakes the cycle, as an I/O listener is due. Thread-safe. */
    private void wake() {
        AsyncCycle current = cycle;
        if (current != null) {
            current.wake();
        }
    }

    /** Makes the end of the exchange notify the application if no thread runs the request then. */
    private void watchEnd() {
        if (!endWatched) {
            endWatched = true;
            request.exchange().onEnd(outcome -> {
                if (!ended) {
                    abandoned(outcome.failure());
                }
            });
        }
    }

    /** Ends a request whose exchange ended while suspended. Called on a thread that must not block. */
    private void abandoned(@Nullable Throwable cause) {
        Throwable reason = cause != null ? cause : new IOException("the exchange was ended");
        request.home().runLast(request.exchange(), () -> {
            AsyncCycle current = cycle;
            if (current != null) {
                current.abandon(reason);
            }
            finish();
        });
    }

    /**
     * Resumes the request after a decision, for an I/O listener, on timeout, or when its form has arrived.
     *
     * @param first runs first, and may call the application; returns what that threw
     */
    private void proceed(Supplier<@Nullable Throwable> first) {
        request.home().run(() -> settle(first.get()));
    }

    // After a call into the application.

    private void settle(@Nullable Throwable thrownBefore) {
        Throwable thrown = thrownBefore;
        while (true) {
            AsyncCycle current = cycle;
            if (current == null || !current.isStarted()) {
                leaveDispatch();
                answerErrors(thrown);
                thrown = null;
                if (isStarted()) {
                    continue; // the error page started it
                }
                finish();
                return;
            }
            if (thrown != null && !current.fail(thrown)) {
                continue;
            }
            thrown = null;
            if (current.isUndecidedAfterListeners()) {
                answerUndecided(current);
            }
            if (current.mayWait()) {
                watchEnd();
            }
            switch (current.returned()) {
                case NOTHING -> {
                    return;
                }
                case DISPATCH -> thrown = dispatched(current);
                case ASK, FINISH -> thrown = null;
            }
        }
    }

    private void answerErrors(@Nullable Throwable thrown) {
        var error = request.response().error();
        if (thrown != null) {
            ErrorAnswers.thrown(request, thrown);
        } else if (error != null) {
            ErrorAnswers.sent(request, error);
        }
    }

    /**
     * Responds with an error if no listener decided a cycle that expired or failed (Servlet 3.1, 2.3.3.3): after a timeout with the one that
     * a listener sent, as in Tomcat.
     */
    private void answerUndecided(AsyncCycle undecided) {
        leaveDispatch();
        Throwable failure = undecided.failure();
        var sent = request.response().error();
        if (failure != null) {
            ErrorAnswers.thrown(request, failure);
        } else if (sent != null) {
            ErrorAnswers.sent(request, sent);
        } else {
            ErrorAnswers.status(request, HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        }
        undecided.giveUp();
    }

    /**
     * After its last asynchronous dispatch the request has the paths, the servlet and the parameters with which it arrived, as in Tomcat:
     * for error pages and listeners.
     */
    private void leaveDispatch() {
        AsyncCycle last = cycle;
        if (last != null) {
            request.facts().containerDispatch(Dispatch.to(last.arrival()));
        }
    }

    private @Nullable Throwable dispatched(AsyncCycle decided) {
        try {
            ServletDispatcher target = decided.target();
            if (target == null) {
                request.response().sendError(HttpServletResponse.SC_NOT_FOUND);
            } else {
                target.async(request, decided.getRequest(), decided.getResponse());
            }
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    private void upgrade() {
        TunnelHandler tunnel = request.tunnel();
        HttpUpgradeHandler handler = request.upgradeHandler();
        if (tunnel != null) {
            request.exchange().tunnel(tunnel);
        } else if (handler != null) {
            request.exchange().tunnel(UpgradedConnection.by(request.home(), handler));
        }
    }

    private void finish() {
        AsyncCycle last = cycle;
        if (last != null) {
            leaveDispatch();
            last.notifyCompleted();
        }
        ContextScope.notifyDestroyed(request);
        ended = true;
        try {
            request.end();
        } catch (SessionUnavailableException e) {
            ErrorAnswers.notStored(request, e);
        } catch (RuntimeException | Error e) { // the response is sent nevertheless
            ErrorAnswers.log(request, e);
        }
        if (request.response().getStatus() == HttpServletResponse.SC_SWITCHING_PROTOCOLS) {
            upgrade();
        }
        try {
            request.response().closeBody();
        } catch (IOException e) {
            request.exchange().abort(e);
        } catch (RuntimeException supplier) { // of trailer fields
            ErrorAnswers.log(request, supplier);
            request.exchange().abort(supplier);
        }
        request.facts().close();
    }
}
