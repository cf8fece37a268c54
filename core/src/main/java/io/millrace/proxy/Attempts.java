package io.millrace.proxy;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Reason;
import io.millrace.handler.BackendTrace;
import io.millrace.http.RequestHead;
import io.millrace.io.AtomicField;
import io.millrace.jfr.Recorder;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one request, one after the other. The request counts for the load of the last backend until it is released.
 * Decides whether it is retried after a failure, and on which backend.
 */
final class Attempts {

    private static final VarHandle CURRENT = AtomicField.of(MethodHandles.lookup(), "current", Attempt.class);

    private final Forwarding proxy;
    private final RequestHead head;
    private final BackendTrace trace;
    private final List<Backend> tried = new ArrayList<>(1);

    @SuppressWarnings("UnusedVariable") // accessed by its handle
    private volatile @Nullable Attempt current;

    private int count;

    /** The number of retries limited by the option {@code retries}: without those after a backend that does not support the request. */
    private int retries;

    /**
     * The next attempt.
     *
     * @param budgeted whether it was taken from the budget
     */
    record Next(Backend backend, boolean budgeted) {}

    private record Attempt(Next next, boolean probe, Recorder.@Nullable Span recorded) {}

    Attempts(Forwarding proxy, RequestHead head, BackendTrace trace) {
        this.proxy = proxy;
        this.head = head;
        this.trace = trace;
    }

    /** The first attempt; null if all backends are draining. */
    @Nullable
    Next first() {
        Backend chosen = proxy.balancer().choose(head, tried);
        return chosen == null ? null : new Next(chosen, false);
    }

    void begin(Next next) {
        Backend chosen = next.backend();
        tried.add(chosen);
        trace.attempt(chosen.toString(), ++count);
        if (count > 1) {
            chosen.metrics().retried();
        }
        current = new Attempt(next, chosen.begin(), Recorder.backendRequest());
    }

    /** Ends the current attempt. Idempotent: called for its failure and at the end of the exchange, which also makes it fail. */
    void release() {
        Attempt ended = (Attempt) CURRENT.getAndSet(this, null);
        if (ended != null) {
            trace.ended();
            Recorder.Span recorded = ended.recorded();
            if (recorded != null) {
                recorded.end(
                        ended.next().backend().toString(),
                        head.method() + " " + head.path().raw(),
                        "attempt " + count);
            }
            ended.next().backend().metrics().ended(trace.nanos());
            ended.next().backend().end(ended.probe());
            giveUp(ended.next());
        }
    }

    /** Returns an attempt, which has ended or was not begun, to the budget. */
    void giveUp(Next next) {
        if (next.budgeted()) {
            proxy.budget().release();
        }
    }

    // ---- retries

    boolean mayRetry(ClientException failure, boolean bodyBegun) {
        return isAllowed(failure.reason() == Reason.UNSUPPORTED)
                && proxy.retries().mayRetry(failure, head.method(), bodyBegun);
    }

    boolean mayRetry(int status, boolean bodyBegun) {
        return isAllowed(false) && proxy.retries().mayRetry(status, head.method(), bodyBegun);
    }

    private boolean isAllowed(boolean unlimited) {
        return unlimited || retries < proxy.mostRetries();
    }

    /** The next attempt of a request that may be retried; null if there is no backend for it, or no budget. */
    @Nullable
    Next retry(ClientException failure) {
        Reason reason = failure.reason();
        Next next = choose(RetryPolicy.isForOthersOnly(reason), !RetryPolicy.needsNoBudget(reason));
        retries += next == null || reason == Reason.UNSUPPORTED ? 0 : 1;
        return next;
    }

    /** The next attempt of a request that has been changed so that every backend may be asked again; null if there is none. */
    @Nullable
    Next anew() {
        tried.clear();
        return first();
    }

    /** The next attempt after a response with a status that counts as a failure; null as above. */
    @Nullable
    Next retryElsewhere() {
        Next next = choose(true, true);
        retries += next == null ? 0 : 1;
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
