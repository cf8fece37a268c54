package io.millrace.proxy;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.SessionPool;
import io.millrace.io.LogThrottle;
import io.millrace.proxy.BackendState.Event;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that requests are passed on to: its connections, how busy it is, and whether it answers ({@link BackendState}).
 *
 * <p><b>Ejection.</b> After five failures in a row it gets no requests for 30 s. Then one is let through: if that is answered it gets its
 * share again, otherwise none for 60 s, and so on up to 300 s.
 *
 * <p><b>Slow start.</b> What comes back begins with a tenth of its share, which grows to the whole over a time: its caches are cold. Any
 * thread.
 */
final class Backend {

    private static final int FAILURES = 5;
    private static final int MOST_PAUSES = 10;
    private static final long PAUSE = Duration.ofSeconds(30).toNanos();

    /** A share is counted in hundredths of a weight. */
    private static final int WHOLE = 100;

    private static final int LEAST = 10;

    private final BackendAddress address;
    private final SessionPool pool;
    private final LongSupplier clock;
    private final int fall;
    private final int rise;
    private final long slowStart;
    private final AtomicInteger running = new AtomicInteger();
    private final LogThrottle<Reason> throttle = new LogThrottle<>(Reason.class);

    // guarded by this
    private int failures;
    private int ejections;
    private long ejectedUntil;
    private int badChecks;
    private int goodChecks;

    private volatile BackendState state;
    private volatile boolean starting;
    private volatile long startedAt;

    /** @param clock as {@link System#nanoTime} */
    Backend(BackendAddress address, SessionPool pool, Settings settings, LongSupplier clock) {
        this.address = address;
        this.pool = pool;
        this.clock = clock;
        fall = settings.get(ProxyOptions.HEALTH_FALL);
        rise = settings.get(ProxyOptions.HEALTH_RISE);
        slowStart = settings.get(ProxyOptions.SLOW_START).toNanos();
        state = address.draining() ? BackendState.DRAINING : BackendState.UP;
    }

    BackendAddress address() {
        return address;
    }

    SessionPool pool() {
        return pool;
    }

    BackendState state() {
        return state;
    }

    BackendStatus status() {
        return new BackendStatus(address.text(), state, running.get(), pool.connections(), pool.waiting());
    }

    // ---- requests

    /** A request goes there. True if it is the one that finds out whether it can have more. */
    boolean begin() {
        running.incrementAndGet();
        return isDue() && move(Event.PROBE);
    }

    /** @param probe what {@link #begin} has returned */
    void end(boolean probe) {
        running.decrementAndGet();
        if (probe) {
            move(Event.LEAVE);
        }
    }

    /** Requests that it has, for its share of them. */
    double load() {
        return running.get() / (double) share();
    }

    /** In hundredths of a weight. */
    int share() {
        int weight = address.weight();
        if (!starting) {
            return weight * WHOLE;
        }
        long since = clock.getAsLong() - startedAt;
        if (since >= slowStart) {
            starting = false;
            return weight * WHOLE;
        }
        return weight * Math.max(LEAST, (int) (WHOLE * since / slowStart));
    }

    /** Is it ejected, and its pause over? */
    boolean isDue() {
        return state == BackendState.EJECTED && isPauseOver();
    }

    private synchronized boolean isPauseOver() {
        return ejectedUntil - clock.getAsLong() <= 0;
    }

    /** It has begun to answer. */
    void succeeded() {
        if (state != BackendState.UP || failures > 0) { // a stale look at them is corrected by the next response
            synchronized (this) {
                failures = 0;
            }
            if (move(Event.SUCCEED)) {
                ProxyLog.LOG.backendBack(address.text());
            }
        }
    }

    /**
     * It has not answered. That it is busy, is not asked at all, or takes the request not now (REFUSED_STREAM, GOAWAY) is not counted
     * against it: others that it has are served.
     */
    void failed(ClientException failure) {
        boolean counts = switch (failure.reason()) {
            case TOO_MANY_WAITING, WAITED_TOO_LONG, UNSUPPORTED, REFUSED -> false;
            default -> true;
        };
        log(failure.reason(), String.valueOf(failure.getMessage()));
        if (counts) {
            count();
        }
    }

    /** It has answered with a status that the operator counts as a failure. */
    void failed(int status) {
        log(Reason.REFUSED, "it was answered with status " + status + ", which retryOn names");
        count();
    }

    private void log(Reason reason, String found) {
        if (throttle.isDue(reason)) {
            ProxyLog.LOG.backendFailed(address.text(), found);
        }
    }

    private void count() {
        long pause = eject();
        if (pause > 0) {
            ProxyLog.LOG.backendEjected(
                    address.text(), FAILURES, Duration.ofNanos(pause).toSeconds());
        }
    }

    /** Returns the nanoseconds that it gets no requests for; 0 if nothing changes. */
    private synchronized long eject() {
        failures++;
        boolean counts = failures >= FAILURES || state == BackendState.PROBING;
        if (!counts || !move(Event.EJECT)) {
            return 0;
        }
        ejections = Math.min(MOST_PAUSES, ejections + 1);
        ejectedUntil = clock.getAsLong() + ejections * PAUSE;
        return ejections * PAUSE;
    }

    // ---- health checks

    /** @param found what is wrong; null if it is healthy */
    void checked(@Nullable String found) {
        boolean changed;
        synchronized (this) {
            badChecks = found == null ? 0 : badChecks + 1;
            goodChecks = found == null ? goodChecks + 1 : 0;
            changed = found == null ? goodChecks >= rise && move(Event.RISE) : badChecks >= fall && move(Event.FALL);
        }
        if (changed && found == null) {
            ProxyLog.LOG.backendBack(address.text());
        } else if (changed) {
            ProxyLog.LOG.backendDown(address.text(), fall, String.valueOf(found));
        }
    }

    // ---- what the operator says

    void drain() {
        if (move(Event.DRAIN)) {
            ProxyLog.LOG.backendDraining(address.text());
        }
    }

    void resume() {
        if (move(Event.RESUME)) {
            ProxyLog.LOG.backendBack(address.text());
        }
    }

    /** False if it changes nothing. */
    private synchronized boolean move(Event event) {
        BackendState next = BackendState.next(state, event);
        if (next == null) {
            return false;
        }
        if (next == BackendState.UP) {
            failures = 0;
            ejections = 0;
            startedAt = clock.getAsLong();
            starting = slowStart > 0;
        }
        state = next;
        return true;
    }

    @Override
    public String toString() {
        return address.text();
    }
}
