package io.millrace.servlet.session;

import io.millrace.metrics.Durations;
import io.millrace.metrics.MetricFamily;
import io.millrace.metrics.MetricGroup;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What an application's calls of its session store came to, since the application started. Thread-safe. */
public final class StoreStatistics {

    private static final MetricFamily CALLS = new MetricFamily(
            "millrace_session_store_seconds",
            MetricFamily.Type.COARSE_HISTOGRAM,
            "Time that calls of the session store took");
    private static final MetricFamily OPEN = MetricFamily.gauge(
            "millrace_session_store_open", "1: the session store is not asked now, as it failed repeatedly");

    private final Map<Operation, Map<Result, Durations>> calls = new EnumMap<>(Operation.class);
    private final LongAdder failedRequests = new LongAdder();
    private volatile boolean open;

    StoreStatistics() {
        for (Operation operation : Operation.values()) {
            Map<Result, Durations> results = new EnumMap<>(Result.class);
            for (Result result : Result.values()) {
                results.put(result, new Durations());
            }
            calls.put(operation, results);
        }
    }

    /** What the store was asked for. */
    public enum Operation {
        /** A session, or whether there is a newer version of it. */
        READ,
        /** To replace a version of a session. */
        WRITE,
        /** To record an access. */
        TOUCH,
        /** To end a session. */
        REMOVE;

        /** As metrics and recordings have it. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What a call came to. */
    public enum Result {
        /** The store answered. */
        OK,
        /** The store has another version of the session, or none. */
        CONFLICT,
        /** The store failed, or did not answer within {@code storeTimeout}. */
        FAILED;

        /** As metrics and recordings have it. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How long the calls took. */
    @SuppressWarnings("NullAway") // each operation and each result has an entry
    public Durations durations(Operation operation, Result result) {
        return calls.get(operation).get(result);
    }

    void addTo(MetricGroup group) {
        calls.forEach((operation, results) -> results.forEach((result, durations) -> group.occasionalHistogram(
                CALLS, durations::read, "operation", operation.label(), "result", result.label())));
        group.number(OPEN, () -> open ? 1 : 0);
    }

    /** The number of requests that did not get their session, or whose changes of it were lost. */
    public long failedRequests() {
        return failedRequests.sum();
    }

    /** Whether the store is not asked now, because it failed repeatedly. */
    public boolean isOpen() {
        return open;
    }

    void called(Operation operation, Result result, long nanos) {
        durations(operation, result).add(nanos);
    }

    void requestFailed() {
        failedRequests.increment();
    }

    void open(boolean now) {
        open = now;
    }
}
