package io.millrace.servlet.request;

import io.millrace.servlet.context.RequestRunner;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous cycles of one request, one after the other, their end, and the I/O listeners, which outlive a cycle. For
 * the owner of the request, but for what is said to be for any thread.
 */
final class AsyncCycles {

    private final HttpServletRequestImpl request;
    private final IoListeners io = new IoListeners(this::wake);
    private volatile @Nullable AsyncCycle current;
    private boolean ended;
    private boolean endWatched;

    AsyncCycles(HttpServletRequestImpl request) {
        this.request = request;
    }

    /** The last one that was started; null if none was. */
    @Nullable
    AsyncCycle current() {
        return current;
    }

    /** True while a cycle is neither completed nor dispatched. */
    boolean isStarted() {
        AsyncCycle cycle = current;
        return cycle != null && cycle.isStarted();
    }

    IoListeners io() {
        return io;
    }

    /** The same for a method that must not be called otherwise (Servlet 3.1, 3.7). */
    IoListeners io(String caller) {
        if (!isStarted()) {
            throw new IllegalStateException(caller + " needs an asynchronous request: call startAsync() first");
        }
        return io;
    }

    /** An I/O listener is due. Any thread. */
    private void wake() {
        AsyncCycle cycle = current;
        if (cycle != null) {
            cycle.wake();
        }
    }

    AsyncCycle start(ServletRequest with, ServletResponse to, boolean original) {
        if (!request.isAsyncSupported()) {
            throw new IllegalStateException(
                    "servlet " + request.servlet().getServletName()
                            + " or a filter before it does not support asynchronous requests; set async-supported on all of them");
        }
        if (ended || isStarted()) {
            throw new IllegalStateException(
                    ended ? "the request is over" : "startAsync() was called already and its cycle is not over");
        }
        AsyncCycle before = current;
        AsyncCycle cycle = new AsyncCycle(request, with, to, original);
        current = cycle;
        if (before != null) {
            before.restartedAs(cycle);
        }
        return cycle;
    }

    AsyncCycle required() {
        AsyncCycle cycle = current;
        if (cycle == null) {
            throw new IllegalStateException("the request was not put into asynchronous mode by startAsync()");
        }
        return cycle;
    }

    /** No application code will see this request again. */
    void end() {
        ended = true;
    }

    /** Sees to it that the application is told if the exchange ends while nobody runs it. */
    void watchEnd() {
        if (!endWatched) {
            endWatched = true;
            request.exchange().onEnd(outcome -> {
                if (!ended) {
                    RequestRunner.abandoned(request, outcome.failure());
                }
            });
        }
    }
}
