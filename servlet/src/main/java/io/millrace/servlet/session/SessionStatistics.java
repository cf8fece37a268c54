package io.millrace.servlet.session;

import static io.millrace.metrics.MetricFamily.counter;
import static io.millrace.metrics.MetricFamily.gauge;

import io.millrace.metrics.MetricFamily;
import io.millrace.metrics.MetricGroup;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/** What has been counted of an application's sessions on this server, since the application started. Thread-safe. */
public final class SessionStatistics {

    private static final MetricFamily SESSIONS = gauge("millrace_sessions", "Sessions in this server's memory");
    private static final MetricFamily CREATED =
            counter("millrace_sessions_created_total", "Sessions that were created");
    private static final MetricFamily EXPIRED =
            counter("millrace_sessions_expired_total", "Sessions that have ended by their timeout");
    private static final MetricFamily REJECTED =
            counter("millrace_sessions_rejected_total", "Sessions that were refused because of maxActiveSessions");

    private final LongAdder created = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private final LongAdder invalidated = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder aliveMillis = new LongAdder();
    private final LongAdder sweepNanos = new LongAdder();
    private final LongAccumulator longestMillis = new LongAccumulator(Math::max, 0);
    private final LongAccumulator most = new LongAccumulator(Math::max, 0);

    SessionStatistics() {}

    /** @param now how many sessions are in memory */
    void addTo(MetricGroup group, IntSupplier now) {
        group.number(SESSIONS, now::getAsInt);
        group.number(CREATED, this::created);
        group.number(EXPIRED, this::expired);
        group.number(REJECTED, this::rejected);
    }

    /** @param now how many there are in memory with it */
    void addCreated(int now) {
        created.increment();
        most.accumulate(now);
    }

    void addRejected() {
        rejected.increment();
    }

    /** Called before {@link #addEnded}, if the application or an operator has ended it by its object. */
    void addInvalidated() {
        invalidated.increment();
    }

    /** @param millis since it was created */
    void addEnded(long millis) {
        ended.increment();
        aliveMillis.add(millis);
        longestMillis.accumulate(millis);
    }

    void addSweep(long nanos) {
        sweepNanos.add(nanos);
    }

    /** The number of sessions that were created. */
    public long created() {
        return created.sum();
    }

    /** The number of sessions that have ended: by their timeout, by the application or by an operator. */
    public long ended() {
        return ended.sum();
    }

    /** The number of sessions that have ended by their timeout, or because an operator ended all that were idle for so long. */
    public long expired() {
        return Math.max(0, ended.sum() - invalidated.sum());
    }

    /** How often a session was refused because there were {@code maxActiveSessions}. */
    public long rejected() {
        return rejected.sum();
    }

    /** The most sessions that were in memory at a time. */
    public int most() {
        return (int) most.get();
    }

    /** How long the session was there that was there the longest of those that have ended, in milliseconds. */
    public long longestMillis() {
        return longestMillis.get();
    }

    /** How long the sessions that have ended were there on average, in milliseconds. */
    public long meanMillis() {
        long number = ended.sum();
        return number == 0 ? 0 : aliveMillis.sum() / number;
    }

    /** How long looking for expired sessions has taken, in nanoseconds. */
    public long sweepNanos() {
        return sweepNanos.sum();
    }
}
