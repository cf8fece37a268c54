package io.millrace.servlet.request;

import io.millrace.exchange.Suspension;
import io.millrace.servlet.context.RequestRunner;
import io.millrace.servlet.request.AsyncState.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * One asynchronous cycle of a request ({@link AsyncState} has its states). {@link #complete} on a cycle that is decided
 * already does nothing; a {@code dispatch} throws IllegalStateException, as the specification wants. Any thread.
 */
public final class AsyncCycle implements AsyncContext {

    private static final AtomicReferenceFieldUpdater<AsyncCycle, AsyncState> STATE =
            AtomicReferenceFieldUpdater.newUpdater(AsyncCycle.class, AsyncState.class, "state");

    private final HttpServletRequestImpl request;
    private final ServletRequest suppliedRequest;
    private final ServletResponse suppliedResponse;
    private final boolean original;
    private final String startedAt;
    /** Why the exchange was ended from outside; null if it was not. */
    private volatile @Nullable Throwable lost;

    private final List<Registered> listeners = new CopyOnWriteArrayList<>();
    private volatile AsyncState state = AsyncState.STARTED;
    private @Nullable IoEvents events;
    private volatile @Nullable Suspension suspension;
    private volatile @Nullable Throwable failure;
    private volatile @Nullable String target;
    private volatile long timeoutMillis;

    AsyncCycle(
            HttpServletRequestImpl request,
            ServletRequest suppliedRequest,
            ServletResponse suppliedResponse,
            boolean original) {
        this.request = request;
        this.timeoutMillis = request.connector().asyncTimeout().toMillis();
        this.suppliedRequest = suppliedRequest;
        this.suppliedResponse = suppliedResponse;
        this.original = original;
        this.startedAt = startedAt(request, original ? null : suppliedRequest);
    }

    /** Where a dispatch without a path goes to (Servlet 3.1, 9.7.2), below the context path. */
    private static String startedAt(HttpServletRequestImpl request, @Nullable ServletRequest supplied) {
        String uri = request.dispatch().containerView().requestUri();
        String query = request.dispatch().containerView().query();
        if (supplied instanceof HttpServletRequest http) {
            uri = http.getRequestURI();
            query = http.getQueryString();
        }
        String path = uri.substring(request.getContextPath().length());
        return query == null ? path : path + "?" + query;
    }

    /** The cycle that non-blocking I/O belongs to (Servlet 3.1, 3.7). */
    static AsyncCycle current(HttpServletRequestImpl request, String caller) {
        AsyncCycle cycle = request.asyncCycle();
        if (cycle == null || !cycle.isStarted()) {
            throw new IllegalStateException(caller + " needs an asynchronous request: call startAsync() first");
        }
        return cycle;
    }

    boolean isStarted() {
        return state != AsyncState.ENDED;
    }

    IoEvents events() {
        synchronized (listeners) {
            if (events == null) {
                events = new IoEvents(request.app().workers());
                if (state != AsyncState.STARTED) {
                    events.open();
                }
            }
            return events;
        }
    }

    // What the application may do.

    @Override
    public void complete() {
        AsyncState before = advance(Event.COMPLETE);
        if (before == AsyncState.WAITING) {
            resume();
        }
    }

    @Override
    public void dispatch() {
        dispatchTo(startedAt);
    }

    @Override
    public void dispatch(String path) {
        dispatchTo(Objects.requireNonNull(path, "path"));
    }

    @Override
    public void dispatch(ServletContext context, String path) {
        if (!context.equals(request.getServletContext())) {
            throw new IllegalArgumentException("a request can be dispatched within its own application only");
        }
        dispatchTo(path);
    }

    private void dispatchTo(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("dispatch path \"" + path + "\" must begin with a slash");
        }
        AsyncState now = state;
        if (AsyncState.next(now, Event.DISPATCH) == null) {
            throw alreadyDecided(now);
        }
        target = path;
        AsyncState before = advance(Event.DISPATCH);
        if (before == null) {
            throw alreadyDecided(state);
        }
        if (before == AsyncState.WAITING) {
            resume();
        }
    }

    private static IllegalStateException alreadyDecided(AsyncState now) {
        return new IllegalStateException(
                "dispatch() came too late: the asynchronous cycle is " + now + " by complete, dispatch or timeout");
    }

    @Override
    public void start(Runnable task) {
        Objects.requireNonNull(task);
        request.app().workers().execute(() -> RequestRunner.inContext(request.app(), task));
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
        add(listener, suppliedRequest, suppliedResponse);
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest with, ServletResponse to) {
        add(listener, with, to);
    }

    private void add(AsyncListener listener, ServletRequest with, ServletResponse to) {
        requireOnStack("addListener");
        listeners.add(new Registered(Objects.requireNonNull(listener), with, to));
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return request.app().make(type);
    }

    /** Counts from the moment the container's thread leaves the application. */
    @Override
    public void setTimeout(long millis) {
        requireOnStack("setTimeout");
        timeoutMillis = millis;
    }

    private void requireOnStack(String caller) {
        if (state == AsyncState.WAITING || state == AsyncState.ENDED) {
            throw new IllegalStateException(
                    caller + " came too late: the container's call in which startAsync() was called has returned");
        }
    }

    @Override
    public long getTimeout() {
        return timeoutMillis;
    }

    // What the container does with it.

    /** The state after the event is set, the one before it returned; null if the event was refused. */
    private @Nullable AsyncState advance(Event event) {
        while (true) {
            AsyncState from = state;
            AsyncState to = AsyncState.next(from, event);
            if (to == null) {
                return null;
            }
            if (STATE.compareAndSet(this, from, to)) {
                return from;
            }
        }
    }

    private void resume() {
        Suspension held = suspension;
        if (held != null) {
            // if a timeout was quicker, it finds what was decided and goes on with that
            held.resume(exchange -> RequestRunner.proceed(request));
        }
    }

    /**
     * The application threw while the cycle was on the stack.
     *
     * @return false if it had decided before: its decision is void
     */
    public boolean fail(Throwable thrown) {
        failure = thrown;
        return advance(Event.FAIL) != null;
    }

    /** Calls an I/O listener; what it throws goes to its own onError, then ends the cycle. */
    void call(Throwing event, Consumer<Throwable> onError) {
        if (state != AsyncState.WAITING) {
            tellLost(onError);
            return;
        }
        RequestRunner.inContext(request.app(), () -> {
            try {
                event.run();
            } catch (Throwable thrown) {
                onError.accept(thrown);
                failure = thrown;
                if (advance(Event.FAIL) != null) {
                    resume();
                }
            }
        });
    }

    /** The connection may be found lost before the I/O listener was told that its write failed: it hears of it all the same. */
    private void tellLost(Consumer<Throwable> onError) {
        Throwable cause = lost;
        if (cause != null) {
            RequestRunner.inContext(request.app(), () -> {
                try {
                    onError.accept(cause);
                } catch (IllegalStateException tooLate) {
                    // it tried to complete what is over
                }
            });
        }
    }

    /**
     * The container's call has returned.
     *
     * @return what is to be done now
     */
    public Next returned() {
        if (state == AsyncState.STARTED) {
            request.async().watchEnd();
            suspension =
                    request.exchange().suspend(Duration.ofMillis(Math.max(0, timeoutMillis)), exchange -> expire());
            if (advanceToWaiting()) {
                return Next.NOTHING;
            }
            resume();
            return Next.NOTHING;
        }
        AsyncState before = advance(Event.RETURN);
        return before == AsyncState.DISPATCHING ? Next.DISPATCH : Next.FINISH;
    }

    private boolean advanceToWaiting() {
        IoEvents io = events;
        if (!STATE.compareAndSet(this, AsyncState.STARTED, AsyncState.WAITING)) {
            return false;
        }
        if (io != null) {
            io.open();
        }
        return true;
    }

    private void expire() {
        advance(Event.TIMEOUT);
        RequestRunner.proceed(request);
    }

    /** Asks the listeners what to do if the cycle expired or failed; true if none of them decided. */
    public boolean isUndecidedAfterListeners() {
        AsyncState now = state;
        if (now == AsyncState.EXPIRING) {
            tell(AsyncListener::onTimeout, null);
        } else if (now == AsyncState.FAILING) {
            tell(AsyncListener::onError, failure);
        } else {
            return false;
        }
        return state == now;
    }

    /** Why it failed; null after a timeout. */
    public @Nullable Throwable failure() {
        return failure;
    }

    /** Nobody decided: it will complete. */
    public void giveUp() {
        if (state == AsyncState.EXPIRING || state == AsyncState.FAILING) {
            advance(Event.RETURN);
        }
    }

    /** Whatever was decided is void: the request ends. */
    public void end() {
        state = AsyncState.ENDED;
    }

    /** The exchange was ended from outside: by a server that stops, say. Nothing can be decided any more. */
    public void abandon(Throwable cause) {
        lost = cause;
        state = AsyncState.ENDED;
        tell(AsyncListener::onError, cause);
    }

    /** The path and query to dispatch to. */
    public String target() {
        return Objects.requireNonNull(target);
    }

    /** The request is over. */
    public void tellCompleted() {
        tell(AsyncListener::onComplete, null);
    }

    void restartedAs(AsyncCycle next) {
        for (Registered one : listeners) {
            one.tell(AsyncListener::onStartAsync, next, null);
        }
        listeners.clear();
    }

    private void tell(Telling event, @Nullable Throwable thrown) {
        for (Registered one : listeners) {
            one.tell(event, this, thrown);
        }
    }

    /** What the container does after a call into the application has returned. */
    public enum Next {
        NOTHING,
        FINISH,
        DISPATCH
    }

    interface Throwing {
        void run() throws Throwable;
    }

    private interface Telling {
        void tell(AsyncListener listener, AsyncEvent event) throws IOException;
    }

    /** A listener and what it is to be told of. */
    private record Registered(AsyncListener listener, ServletRequest request, ServletResponse response) {

        /** A listener that fails must not keep the others from being told. */
        void tell(Telling event, AsyncCycle cycle, @Nullable Throwable thrown) {
            try {
                event.tell(listener, new AsyncEvent(cycle, request, response, thrown));
            } catch (IOException | RuntimeException e) {
                RequestRunner.listenerFailed(cycle.request.app(), listener, e);
            }
        }
    }
}
