package io.millrace.proxy;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Reason;
import io.millrace.handler.BackendTrace;
import io.millrace.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The backends that one request was sent to, one after the other: the last one counts as busy with it until it is released. Says
 * whether another is asked after a failure, and which.
 */
final class Attempts {

    private final ProxyHandler proxy;
    private final RequestHead head;
    private final BackendTrace trace;
    private final List<Backend> tried = new ArrayList<>(1);
    private final AtomicReference<@Nullable Attempt> current = new AtomicReference<>();

    private int count;

    /** Those that the option {@code retries} limits: not the ones after a backend that has no way to serve the request. */
    private int repeats;

    /**
     * The next attempt.
     *
     * @param budgeted was it taken from the budget?
     */
    record Next(Backend backend, boolean budgeted) {}

    private record Attempt(Next asked, boolean probe) {}

    Attempts(ProxyHandler proxy, RequestHead head, BackendTrace trace) {
        this.proxy = proxy;
        this.head = head;
        this.trace = trace;
    }

    /** The first; null if all backends are draining. */
    @Nullable
    Next first() {
        Backend chosen = proxy.balancer().choose(head, tried);
        return chosen == null ? null : new Next(chosen, false);
    }

    void begin(Next next) {
        Backend chosen = next.backend();
        tried.add(chosen);
        trace.attempt(chosen.toString(), ++count);
        current.set(new Attempt(next, chosen.begin()));
    }

    /** Once for each attempt: by its failure, or by the end of the exchange, which cuts it and so makes it fail afterwards. */
    void release() {
        Attempt mine = current.getAndSet(null);
        if (mine != null) {
            trace.ended();
            mine.asked().backend().end(mine.probe());
            giveUp(mine.asked());
        }
    }

    /** It is not begun, or is over. */
    void giveUp(Next next) {
        if (next.budgeted()) {
            proxy.budget().giveBack();
        }
    }

    // ---- repetitions

    boolean mayRepeat(ClientException failure, boolean bodyBegun) {
        return isAllowed(failure.reason() == Reason.UNSUPPORTED)
                && proxy.retries().mayRepeat(failure, head.method(), bodyBegun);
    }

    boolean mayRepeat(int status, boolean bodyBegun) {
        return isAllowed(false) && proxy.retries().mayRepeat(status, head.method(), bodyBegun);
    }

    private boolean isAllowed(boolean free) {
        return free || repeats < proxy.mostRetries();
    }

    /** Where a request goes that may be repeated; null if there is no backend for it, or no budget. */
    @Nullable
    Next repeat(ClientException failure) {
        Reason reason = failure.reason();
        Next next = choose(RetryPolicy.isForOthersOnly(reason), !RetryPolicy.costsNothing(reason));
        repeats += next == null || reason == Reason.UNSUPPORTED ? 0 : 1;
        return next;
    }

    /** The same for one that was answered with a status that is a failure. */
    @Nullable
    Next repeatElsewhere() {
        Next next = choose(true, true);
        repeats += next == null ? 0 : 1;
        return next;
    }

    private @Nullable Next choose(boolean othersOnly, boolean budgeted) {
        Backend chosen = proxy.balancer().choose(head, tried);
        if (chosen == null
                || othersOnly && tried.contains(chosen)
                || budgeted && !proxy.budget().take()) {
            return null;
        }
        return new Next(chosen, budgeted);
    }
}
