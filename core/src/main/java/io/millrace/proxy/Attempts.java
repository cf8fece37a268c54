package io.millrace.proxy;

import io.millrace.handler.BackendTrace;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The backends that one request was sent to, one after the other: the last one counts as busy with it until it is released. */
final class Attempts {

    private final RetryBudget budget;
    private final BackendTrace trace;
    private final Set<Backend> tried = new LinkedHashSet<>();
    private final AtomicReference<@Nullable Attempt> current = new AtomicReference<>();

    private int count;

    private record Attempt(Backend backend, boolean budgeted, boolean probe) {}

    Attempts(RetryBudget budget, BackendTrace trace) {
        this.budget = budget;
        this.trace = trace;
    }

    int count() {
        return count;
    }

    Set<Backend> tried() {
        return tried;
    }

    /** @param budgeted was it taken from the budget? */
    void begin(Backend chosen, boolean budgeted) {
        tried.add(chosen);
        trace.attempt(chosen.toString(), ++count);
        current.set(new Attempt(chosen, budgeted, chosen.begin()));
    }

    /** Once for each attempt: by its failure, or by the end of the exchange, which cuts it and so makes it fail afterwards. */
    void release() {
        Attempt mine = current.getAndSet(null);
        if (mine != null) {
            trace.ended();
            mine.backend().end(mine.probe());
            if (mine.budgeted()) {
                budget.giveBack();
            }
        }
    }
}
