package io.millrace.servlet.dispatch;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.RequestId;
import io.millrace.exchange.Suspension;
import io.millrace.io.AtomicField;
import io.millrace.io.Delays;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.dispatch.AsyncState.Event;
import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.request.DispatchView;
import io.millrace.servlet.request.HttpServletRequestImpl;
import io.millrace.servlet.request.IoListeners;
import io.millrace.servlet.security.RunAs;
import io.millrace.servlet.settings.ServletOptions;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * One asynchronous cycle of a request; {@link AsyncState} has its states. Once decided, {@link #complete} is ignored, and
 * {@code dispatch} throws IllegalStateException, as specified.
 *
 * <p><b>Threads.</b> The methods of AsyncContext are thread-safe. A decision takes effect once the container's call into the
 * application has returned: a thread that decides, or that has an event for an I/O listener, {@linkplain #wake wakes} the
 * exchange, which resumes on one thread, its owner. So the container never calls the application twice at the same time.
 */
final class AsyncCycle implements AsyncContext {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", AsyncState.class);

    private final HttpServletRequestImpl request;
    private final @Nullable RequestId requestId;
    private final ServletRequest suppliedRequest;
    private final ServletResponse suppliedResponse;
    private final boolean original;
    private final AppView app;
    /** The application of {@link #startedAt}. */
    private final AppView startedIn;

    /** Below the context path, with the query; null for {@link #origin}. */
    private final @Nullable String startedAt;
    /** The paths of the container's latest dispatch before the cycle. */
    private final DispatchView origin;

    private final AsyncListeners listeners = new AsyncListeners(this);
    /** The container's paths before the first cycle of the request. */
    private final DispatchView arrival;

    private final IoListeners io;
    private final Consumer<Supplier<@Nullable Throwable>> runner;

    private volatile AsyncState state = AsyncState.STARTED;
    private volatile @Nullable Suspension suspension;
    private volatile @Nullable Throwable failure;
    /** The target of a dispatch; null if its path maps to nothing. */
    private volatile @Nullable ServletDispatcher target;

    private volatile long timeoutMillis;

    /**
     * The {@code System.nanoTime()} of the timeout; 0 until the container's call has returned for the first time. Set by the
     * owner.
     */
    private volatile long deadline;

    /**
     * A new cycle of a request.
     *
     * @param arrival the container's paths before the first cycle of the request
     * @param io the request's I/O listeners
     * @param runner runs an action, then determines what comes next; called as the owner of the exchange
     */
    AsyncCycle(
            HttpServletRequestImpl request,
            ServletRequest suppliedRequest,
            ServletResponse suppliedResponse,
            boolean original,
            DispatchView arrival,
            IoListeners io,
            Consumer<Supplier<@Nullable Throwable>> runner) {
        this.arrival = arrival;
        this.io = io;
        this.runner = runner;
        this.request = request;
        this.requestId = RequestId.of(request.exchange());
        this.timeoutMillis =
                TimeUnit.MILLISECONDS.convert(request.facts().connector().get(ServletOptions.ASYNC_TIMEOUT));
        this.suppliedRequest = suppliedRequest;
        this.suppliedResponse = suppliedResponse;
        this.original = original;
        this.app = request.app();
        DispatchView origin = request.facts().containerView();
        this.startedIn = original ? origin.app() : request.view().app();
        this.startedAt = original ? null : startedAt(origin, suppliedRequest);
        this.origin = origin;
    }

    /**
     * The target of a dispatch without a path (Servlet 3.1, 9.7.2), below the context path: the URI of the supplied request. Without
     * the original query, whose parameters would be duplicated. Null for the original URI.
     */
    private static @Nullable String startedAt(DispatchView origin, ServletRequest supplied) {
        if (!(supplied instanceof HttpServletRequest http)
                || origin.requestUri().equals(http.getRequestURI())
                        && Objects.equals(origin.query(), http.getQueryString())) {
            return null;
        }
        String uri = http.getRequestURI();
        String query = http.getQueryString();
        String context = http.getContextPath();
        String path = uri.startsWith(context) ? uri.substring(context.length()) : uri; // of a wrapper's own making
        return query == null || query.equals(origin.query()) ? path : path + "?" + query;
    }

    AppView app() {
        return app;
    }

    DispatchView arrival() {
        return arrival;
    }

    IoListeners io() {
        return io;
    }

    boolean isStarted() {
        return state != AsyncState.ENDED;
    }

    // For the application.

    @Override
    public void complete() {
        if (advance(Event.COMPLETE)) {
            wake();
        }
    }

    @Override
    public void dispatch() {
        if (startedAt == null) {
            dispatchTo(() -> Dispatchers.again(origin));
        } else {
            dispatchTo(startedIn.servletContext(), startedAt);
        }
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
        dispatchTo(() -> dispatcher(to, path));
    }

    private void dispatchTo(Supplier<@Nullable ServletDispatcher> to) {
        if (!state.isDecided()) {
            target = to.get(); // before the state, which publishes it
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

    /** Runs a task on a worker of the request's connector, within its client's share of them. An exception of the task fails the cycle like one of the servlet. */
    @Override
    public void start(Runnable task) {
        Objects.requireNonNull(task);
        String role = RunAs.role();
        Runnable inRole = role == null ? task : () -> RunAs.run(role, task);
        Runnable inApplication = () -> app.run(() -> run(inRole));
        request.exchange()
                .channel()
                .tasks()
                .execute(requestId == null ? inApplication : requestId.carriedBy(inApplication));
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

    /** The timeout starts when the container's call returns. */
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

    // Transitions.

    /** False if the event is refused. */
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
     * Resumes the exchange after a decision or for an I/O listener, if it is suspended. Otherwise its owner checks the state
     * before it suspends. Thread-safe.
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

    /** Calls the I/O listeners that are due. Returns their failure, after onError; null without one. */
    private @Nullable Throwable callListeners() {
        return advance(Event.CALL) ? io.call(() -> state == AsyncState.CALLING) : null;
    }

    private void expire(HttpExchange exchange) {
        runner.accept(() -> {
            advance(Event.TIMEOUT);
            return null;
        });
    }

    // For the container, as the owner of the exchange.

    /**
     * Fails the cycle, as the application threw.
     *
     * @return false if it was decided before: then the decision is void, and the cycle has ended
     */
    boolean fail(Throwable thrown) {
        failure = thrown;
        return advance(Event.FAIL) || !advance(Event.VOID);
    }

    /** False if {@link #returned} will not suspend the exchange. */
    boolean mayWait() {
        AsyncState now = state;
        return now == AsyncState.STARTED || now == AsyncState.CALLING;
    }

    /**
     * Handles the return of the container's call into the application.
     *
     * @return what the container does next
     */
    Next returned() {
        AsyncState now = state;
        if (now == AsyncState.STARTED || now == AsyncState.CALLING) {
            suspend();
            return Next.NOTHING;
        }
        if (now == AsyncState.FAILING) {
            return Next.ASK; // a task threw after the listeners were notified
        }
        Next next = now == AsyncState.DISPATCHING ? Next.DISPATCH : Next.FINISH;
        advance(Event.RETURN);
        return next;
    }

    /** Suspends the exchange. From here on another thread may resume it. */
    private void suspend() {
        Suspension held = request.exchange().suspend(timeLeft(), this::expire);
        suspension = held;
        boolean decided = !STATE.compareAndSet(this, AsyncState.STARTED, AsyncState.WAITING)
                && !STATE.compareAndSet(this, AsyncState.CALLING, AsyncState.WAITING);
        if (decided || io.isPending()) {
            held.resume(this::resumed); // the decision may have been made before there was a suspension to resume
        }
    }

    /** The time until the timeout; zero for none. */
    private Duration timeLeft() {
        long now = System.nanoTime();
        if (deadline == 0) {
            deadline = (now + Delays.nanosOfMillis(timeoutMillis)) | 1; // 0 means none
        }
        return timeoutMillis <= 0 ? Duration.ZERO : Duration.ofNanos(Math.max(1, deadline - now));
    }

    /** Notifies the listeners if the cycle expired or failed; true if it did and none of them decided. */
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

    /** The cause of the failure; null after a timeout. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Completes the cycle if it is undecided. */
    void giveUp() {
        if (!state.isDecided()) {
            advance(Event.RETURN);
        }
    }

    /**
     * Ends the cycle of an exchange that ended while suspended: the connection was lost, or the server is stopping. Notifies I/O
     * listeners, then AsyncListeners, unless the application had decided. Their decisions are void.
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

    /** The target of the dispatch; null if its path maps to nothing. */
    @Nullable
    ServletDispatcher target() {
        return target;
    }

    /** Notifies listeners that the request has completed. */
    void notifyCompleted() {
        listeners.tell(AsyncListener::onComplete, null);
    }

    void restartedAs(AsyncCycle next) {
        listeners.notifyRestarted(next);
    }

    /** What the container does after a call into the application has returned. */
    enum Next {
        NOTHING,
        /** Notify the listeners of the failure, then call {@link #returned} again. */
        ASK,
        FINISH,
        DISPATCH
    }

    /** The AsyncListeners of one cycle, notified in order of registration. Added on any thread, notified by the exchange's owner. */
    private static final class AsyncListeners {

        private final AsyncCycle cycle;
        private final List<Registered> registered = new CopyOnWriteArrayList<>();

        AsyncListeners(AsyncCycle cycle) {
            this.cycle = cycle;
        }

        void add(AsyncListener listener, ServletRequest with, ServletResponse to) {
            registered.add(new Registered(Objects.requireNonNull(listener), with, to));
        }

        /** Notifies all; an exception of a listener is logged. */
        void tell(Telling event, @Nullable Throwable thrown) {
            tell(event, cycle, thrown);
        }

        /** Notifies of the start of another cycle, to which listeners must be added again (Servlet 3.1, 2.3.3.3). */
        void notifyRestarted(AsyncCycle next) {
            tell(AsyncListener::onStartAsync, next, null);
            registered.clear();
        }

        private void tell(Telling event, AsyncCycle about, @Nullable Throwable thrown) {
            for (Registered one : registered) {
                try {
                    event.tell(one.listener, new AsyncEvent(about, one.request, one.response, thrown));
                } catch (IOException | RuntimeException | Error e) {
                    ServletLog.DISPATCH.requestListenerFailed(
                            one.listener.getClass().getName(), cycle.app().displayPath(), e);
                }
            }
        }

        interface Telling {
            void tell(AsyncListener listener, AsyncEvent event) throws IOException;
        }

        /** A listener, and the request and response of its events. */
        private record Registered(AsyncListener listener, ServletRequest request, ServletResponse response) {}
    }
}
