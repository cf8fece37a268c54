package io.millrace.servlet.dispatch;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.Suspension;
import io.millrace.io.AtomicField;
import io.millrace.io.Delays;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.dispatch.AsyncState.Event;
import io.millrace.servlet.request.DispatchView;
import io.millrace.servlet.request.HttpServletRequestImpl;
import io.millrace.servlet.request.IoListeners;
import io.millrace.servlet.security.RunAs;
import io.millrace.servlet.settings.ServletOptions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncListener;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * One asynchronous cycle of a request ({@link AsyncState} has its states). {@link #complete} on a cycle that is decided
 * already does nothing; a {@code dispatch} throws IllegalStateException, as the specification wants.
 *
 * <p><b>Threads.</b> The application's methods may be called by any. What it decides takes effect when nobody of the
 * container is in the application: whoever decides, or has news for an I/O listener, {@linkplain #wake wakes} the exchange,
 * and of all who do the exchange lets one go on, as its owner. So no two calls into the application are ever made at once,
 * but by itself.
 */
final class AsyncCycle implements AsyncContext {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", AsyncState.class);

    private final HttpServletRequestImpl request;
    private final ServletRequest suppliedRequest;
    private final ServletResponse suppliedResponse;
    private final boolean original;
    private final AppView app;
    /** The application that {@link #startedAt} is in. */
    private final AppView startedIn;

    private final String startedAt;
    private final AsyncListeners listeners = new AsyncListeners(this);
    private final IoListeners io;
    private final Consumer<Supplier<@Nullable Throwable>> runner;

    private volatile AsyncState state = AsyncState.STARTED;
    private volatile @Nullable Suspension suspension;
    private volatile @Nullable Throwable failure;
    /** Where a dispatch leads; null if it leads nowhere. */
    private volatile @Nullable ServletDispatcher target;

    private volatile long timeoutMillis;

    /** When the time is up; 0 until the container's call has returned for the first time. Set by the owner. */
    private volatile long deadline;

    /**
     * A cycle of a request.
     *
     * @param io the request's I/O listeners
     * @param runner settles what comes next, after what it is given was done; called as the owner of the exchange
     */
    AsyncCycle(
            HttpServletRequestImpl request,
            ServletRequest suppliedRequest,
            ServletResponse suppliedResponse,
            boolean original,
            IoListeners io,
            Consumer<Supplier<@Nullable Throwable>> runner) {
        this.io = io;
        this.runner = runner;
        this.request = request;
        this.timeoutMillis = TimeUnit.MILLISECONDS.convert(request.connector().get(ServletOptions.ASYNC_TIMEOUT));
        this.suppliedRequest = suppliedRequest;
        this.suppliedResponse = suppliedResponse;
        this.original = original;
        this.app = request.app();
        DispatchView origin = request.containerView();
        this.startedIn = original ? origin.app() : request.view().app();
        this.startedAt = startedAt(origin, original ? null : suppliedRequest);
    }

    /**
     * Where a dispatch without a path goes to (Servlet 3.1, 9.7.2), below the context path. The parameters of the original
     * query are there already, so that it would double them.
     */
    private static String startedAt(DispatchView origin, @Nullable ServletRequest supplied) {
        String uri = origin.requestUri();
        String query = origin.query();
        String context = origin.app().contextPath();
        if (supplied instanceof HttpServletRequest http) {
            uri = http.getRequestURI();
            query = http.getQueryString();
            context = http.getContextPath();
        }
        String path = uri.substring(context.length());
        return query == null || query.equals(origin.query()) ? path : path + "?" + query;
    }

    AppView app() {
        return app;
    }

    boolean isStarted() {
        return state != AsyncState.ENDED;
    }

    // What the application may do.

    @Override
    public void complete() {
        if (advance(Event.COMPLETE)) {
            wake();
        }
    }

    @Override
    public void dispatch() {
        dispatchTo(startedIn.servletContext(), startedAt);
    }

    @Override
    public void dispatch(String path) {
        dispatchTo(app.servletContext(), Objects.requireNonNull(path, "path"));
    }

    @Override
    public void dispatch(ServletContext context, String path) {
        dispatchTo(context, path);
    }

    private void dispatchTo(ServletContext to, String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("dispatch path \"" + path + "\" must begin with a slash");
        }
        if (!state.isDecided()) {
            target = dispatcher(to, path); // before the state says that it is there
            if (advance(Event.DISPATCH)) {
                wake();
                return;
            }
        }
        throw new IllegalStateException("dispatch() was called too late: the asynchronous cycle is " + state
                + " by complete, dispatch or timeout");
    }

    private static @Nullable ServletDispatcher dispatcher(ServletContext context, String path) {
        RequestDispatcher found = context.getRequestDispatcher(path);
        if (found == null || found instanceof ServletDispatcher) {
            return (ServletDispatcher) found;
        }
        throw new IllegalArgumentException(context + " was not returned by getServletContext() or getContext()");
    }

    /** On a worker of the request's connector. What the task throws fails the cycle, as if the servlet had thrown it. */
    @Override
    public void start(Runnable task) {
        Objects.requireNonNull(task);
        String role = RunAs.role();
        Runnable inRole = role == null ? task : () -> RunAs.run(role, task);
        request.exchange().channel().workers().execute(() -> app.run(() -> run(inRole)));
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable thrown) {
            failure = thrown;
            if (advance(Event.FAIL)) {
                wake();
            } else {
                ErrorAnswers.log(request, thrown); // no later step reports it
            }
        }
    }

    @Override
    public ServletRequest getRequest() {
        return suppliedRequest;
    }

    @Override
    public ServletResponse getResponse() {
        return suppliedResponse;
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return original || suppliedRequest.equals(request) && suppliedResponse.equals(request.response());
    }

    @Override
    public void addListener(AsyncListener listener) {
        addListener(listener, suppliedRequest, suppliedResponse);
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest with, ServletResponse to) {
        requireOnStack("addListener");
        listeners.add(listener, with, to);
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return app.instances().makeForRequest(type);
    }

    /** Counts from the moment the container's thread leaves the application. */
    @Override
    public void setTimeout(long millis) {
        requireOnStack("setTimeout");
        timeoutMillis = millis;
    }

    private void requireOnStack(String caller) {
        if (deadline != 0 || state == AsyncState.ENDED) {
            throw new IllegalStateException(caller
                    + " was called too late: the container's call in which startAsync() was called has returned");
        }
    }

    @Override
    public long getTimeout() {
        return timeoutMillis;
    }

    // How it goes on.

    /** False if the event was refused. */
    private boolean advance(Event event) {
        while (true) {
            AsyncState from = state;
            AsyncState to = AsyncState.next(from, event);
            if (to == null) {
                return false;
            }
            if (STATE.compareAndSet(this, from, to)) {
                return true;
            }
        }
    }

    /**
     * Somebody decided, or an I/O listener has something to do: the exchange goes on if it is suspended. If somebody else
     * was quicker, or it is not suspended, whoever owns it looks at the state before it leaves. Any thread.
     */
    void wake() {
        Suspension held = suspension;
        if (held != null) {
            held.resume(this::resumed);
        }
    }

    private void resumed(HttpExchange exchange) {
        runner.accept(this::callListeners);
    }

    /** What an I/O listener threw, after its onError was called; null if all went well or none had to be called. */
    private @Nullable Throwable callListeners() {
        return advance(Event.CALL) ? io.call(() -> state == AsyncState.CALLING) : null;
    }

    private void expire(HttpExchange exchange) {
        runner.accept(() -> {
            advance(Event.TIMEOUT);
            return null;
        });
    }

    // What the container does with it, as the owner of the exchange.

    /**
     * The application threw.
     *
     * @return false if it had decided before: its decision is void, and the cycle has ended
     */
    boolean fail(Throwable thrown) {
        failure = thrown;
        return advance(Event.FAIL) || !advance(Event.VOID);
    }

    /** False if it is decided what comes: then {@link #returned} will not suspend the exchange. */
    boolean mayWait() {
        AsyncState now = state;
        return now == AsyncState.STARTED || now == AsyncState.CALLING;
    }

    /**
     * The container's call has returned.
     *
     * @return what is to be done now
     */
    Next returned() {
        AsyncState now = state;
        if (now == AsyncState.STARTED || now == AsyncState.CALLING) {
            suspend();
            return Next.NOTHING;
        }
        if (now == AsyncState.FAILING) {
            return Next.ASK; // a task threw since the listeners were to be asked
        }
        Next next = now == AsyncState.DISPATCHING ? Next.DISPATCH : Next.FINISH;
        advance(Event.RETURN);
        return next;
    }

    /** After this only those who look at the state before they do anything may go on. */
    private void suspend() {
        Suspension held = request.exchange().suspend(timeLeft(), this::expire);
        suspension = held;
        boolean decided = !STATE.compareAndSet(this, AsyncState.STARTED, AsyncState.WAITING)
                && !STATE.compareAndSet(this, AsyncState.CALLING, AsyncState.WAITING);
        if (decided || io.isPending()) {
            held.resume(this::resumed); // who decided may have come before there was anything to wake
        }
    }

    /** Zero: for ever. */
    private Duration timeLeft() {
        long now = System.nanoTime();
        if (deadline == 0) {
            deadline = (now + Delays.nanosOfMillis(timeoutMillis)) | 1; // 0 means none
        }
        return timeoutMillis <= 0 ? Duration.ZERO : Duration.ofNanos(Math.max(1, deadline - now));
    }

    /** Asks the listeners what to do if the cycle expired or failed; true if none of them decided. */
    boolean isUndecidedAfterListeners() {
        AsyncState now = state;
        if (now == AsyncState.EXPIRING) {
            listeners.tell(AsyncListener::onTimeout, null);
        } else if (now == AsyncState.FAILING) {
            listeners.tell(AsyncListener::onError, failure);
        } else {
            return false;
        }
        return state == now;
    }

    /** Why it failed; null after a timeout. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Nobody decided: it will complete. */
    void giveUp() {
        if (!state.isDecided()) {
            advance(Event.RETURN);
        }
    }

    /**
     * The exchange has ended while nobody owned it: the client is gone, or the server stops. I/O listeners hear of it first,
     * then AsyncListeners, unless the application had decided already. What any of them decides is void.
     */
    void abandon(Throwable cause) {
        if (fail(cause)) {
            io.lose(cause);
            isUndecidedAfterListeners();
            while (state != AsyncState.ENDED) {
                advance(Event.RETURN);
            }
        }
    }

    /** What to dispatch to; null if the application named a path that leads nowhere. */
    @Nullable
    ServletDispatcher target() {
        return target;
    }

    /** The request is over. */
    void tellCompleted() {
        listeners.tell(AsyncListener::onComplete, null);
    }

    void restartedAs(AsyncCycle next) {
        listeners.tellRestarted(next);
    }

    /** What the container does after a call into the application has returned. */
    enum Next {
        NOTHING,
        /** The listeners, who do not know yet that it failed. */
        ASK,
        FINISH,
        DISPATCH
    }
}
