package io.millrace.servlet.session;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What an application's calls of its session store came to, since the application started. Thread-safe. */
public final class StoreStatistics {

    private final Map<Operation, Map<Result, Calls>> calls = new EnumMap<>(Operation.class);
    private final LongAdder failedRequests = new LongAdder();
    private volatile boolean open;

    StoreStatistics() {
        for (Operation operation : Operation.values()) {
            Map<Result, Calls> results = new EnumMap<>(Result.class);
            for (Result result : Result.values()) {
                results.put(result, new Calls(new LongAdder(), new LongAdder()));
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
        REMOVE
    }

    /** What a call came to. */
    public enum Result {
        /** The store answered. */
        OK,
        /** The store has another version of the session, or none. */
        CONFLICT,
        /** The store failed, or did not answer within {@code storeTimeout}. */
        FAILED
    }

    private record Calls(LongAdder count, LongAdder nanos) {}

    /** The number of calls. */
    public long count(Operation operation, Result result) {
        return of(operation, result).count().sum();
    }

    /** How long the calls took in all, in nanoseconds. */
    public long nanos(Operation operation, Result result) {
        return of(operation, result).nanos().sum();
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
        Calls of = of(operation, result);
        of.count().increment();
        of.nanos().add(nanos);
    }

    void requestFailed() {
        failedRequests.increment();
    }

    void open(boolean now) {
        open = now;
    }

    @SuppressWarnings("NullAway") // each operation and each result has an entry
    private Calls of(Operation operation, Result result) {
        return calls.get(operation).get(result);
    }
}
