package io.millrace.proxy;

import static io.millrace.metrics.MetricFamily.counter;
import static io.millrace.metrics.MetricFamily.gauge;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.SessionPool;
import io.millrace.io.DialException;
import io.millrace.io.LogThrottle;
import io.millrace.log.CoreLog;
import io.millrace.metrics.Durations;
import io.millrace.metrics.MetricFamily;
import io.millrace.metrics.MetricGroup;
import io.millrace.proxy.BackendState.Event;
import io.millrace.settings.Settings;
import io.millrace.text.Plural;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A server to which requests are forwarded: its connections, its load, and its availability ({@link BackendState}).
 *
 * <p><b>Ejection.</b> After five consecutive failures it gets no requests for 30 s. Then one request probes it: on a response it gets its
 * share again, on a failure no requests for 60 s, and so on up to 300 s.
 *
 * <p><b>Refusals.</b> A backend that has refused a request, and answered none since, gets no requests for a second if others are up: it is
 * not busy with what it refuses, and would look idle.
 *
 * <p><b>Slow start.</b> A backend that has become available again starts with a tenth of its share, which grows to the whole during {@link
 * ProxyOptions#SLOW_START}, because its caches are cold. Thread-safe.
 */
final class Backend {

    private static final int FAILURES = 5;
    private static final int MAX_PAUSES = 10;
    private static final long PAUSE = Duration.ofSeconds(30).toNanos();
    private static final long REFUSAL_PAUSE = Duration.ofSeconds(1).toNanos();

    /** The unit of shares: hundredths of a weight. */
    private static final int WHOLE = 100;

    private static final int LEAST = 10;

    private final BackendAddress address;
    private final SessionPool pool;
    private final LongSupplier clock;
    private final int fall;
    private final int rise;
    private final long slowStart;
    private final AtomicInteger running = new AtomicInteger();
    private final Figures metrics = new Figures();
    private final LogThrottle<Reason> throttle = new LogThrottle<>(Reason.class);

    // guarded by this
    private int failures;
    private int ejections;
    private long ejectedUntil;
    private int badChecks;
    private int goodChecks;
    private boolean unreachable;

    private volatile BackendState state;
    private volatile boolean returned;
    private volatile boolean refusing;
    private volatile long refusedAt;
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

    Figures metrics() {
        return metrics;
    }

    SessionPool pool() {
        return pool;
    }

    BackendState state() {
        return state;
    }

    BackendStatus status() {
        return new BackendStatus(
                address.text(), state, running.get(), pool.connections(), pool.waiting(), pool.limited());
    }

    // ---- requests

    /** A request is assigned to it. True if the request is the probe of an ejected backend. */
    boolean begin() {
        running.incrementAndGet();
        return isDue() && move(Event.PROBE);
    }

    /** @param probe the result of {@link #begin} */
    void end(boolean probe) {
        running.decrementAndGet();
        if (probe) {
            move(Event.LEAVE);
        }
    }

    /** The number of its current requests divided by its share. */
    double load() {
        return running.get() / (double) share();
    }

    /** Its share of the requests, in hundredths of a weight. */
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

    /** Whether it is ejected, and its pause has expired. */
    boolean isDue() {
        return state == BackendState.EJECTED && isPauseOver();
    }

    private synchronized boolean isPauseOver() {
        return ejectedUntil - clock.getAsLong() <= 0;
    }

    /** Whether it has refused a request within the last second, and answered none since. */
    boolean isRefusing() {
        return refusing && clock.getAsLong() - refusedAt < REFUSAL_PAUSE;
    }

    /** The head of a response was received. */
    void succeeded() {
        if (refusing) {
            refusing = false;
        }
        if (state != BackendState.UP || failures > 0) { // a stale value is corrected by the next response
            synchronized (this) {
                failures = 0;
                returned = unreachable;
            }
            if (move(Event.SUCCEED)) {
                CoreLog.PROXY.backendBack(address.text());
            }
        }
    }

    /**
     * A request failed. Not counted are failures before the request was sent for lack of a connection, and rejections (REFUSED_STREAM,
     * GOAWAY): other requests are served.
     */
    void failed(ClientException failure) {
        boolean counts = switch (failure.reason()) {
            case TOO_MANY_WAITING, WAITED_TOO_LONG, UNSUPPORTED, REFUSED -> false;
            default -> true;
        };
        log(failure.reason(), found(failure));
        if (failure.reason() == Reason.REFUSED) {
            refusedAt = clock.getAsLong();
            refusing = true;
        }
        if (counts) {
            returned = false;
            count();
        }
    }

    /** The response has a status that is configured to count as a failure. */
    void failed(int status) {
        log(Reason.REFUSED, "the response has status " + status + ", which retryOn lists");
        count();
    }

    /** The failure in a message that names the backend: without its address. */
    static String found(ClientException failure) {
        return failure.getCause() instanceof DialException undialled
                ? "cannot connect: " + undialled.detail()
                : String.valueOf(failure.getMessage());
    }

    private void log(Reason reason, String found) {
        if (throttle.isDue(reason)) {
            CoreLog.PROXY.backendFailed(address.text(), found);
        }
    }

    private void count() {
        long pause = eject();
        if (pause > 0) {
            CoreLog.PROXY.backendEjected(
                    address.text(), FAILURES, Duration.ofNanos(pause).toSeconds());
        }
    }

    /** Returns the duration of the pause in nanoseconds; 0 if the backend is not ejected now. */
    private synchronized long eject() {
        failures++;
        boolean counts = failures >= FAILURES || state == BackendState.PROBING;
        if (!counts || !move(Event.EJECT)) {
            return 0;
        }
        ejections = Math.min(MAX_PAUSES, ejections + 1);
        ejectedUntil = clock.getAsLong() + ejections * PAUSE;
        return ejections * PAUSE;
    }

    // ---- health checks

    /**
     * Whether its checks failed because it could not be reached, and it has answered since, to a check or to a request: it was
     * started later than the proxy, or again, and is not up only because too few checks have succeeded yet. Its own sessions
     * would be lost on another backend. One that answers checks with an error does not count: it declines requests.
     */
    boolean hasReturned() {
        return returned && state == BackendState.DOWN;
    }

    /** @param found the problem, of a backend that could be reached; null if it is healthy */
    void checked(@Nullable String found) {
        checked(found, false);
    }

    /** @param found why there was no connection for a check */
    void notReached(String found) {
        checked(found, true);
    }

    private void checked(@Nullable String found, boolean vain) {
        boolean changed;
        synchronized (this) {
            unreachable = found == null ? unreachable : vain;
            returned = found == null && unreachable;
            badChecks = found == null ? 0 : badChecks + 1;
            goodChecks = found == null ? goodChecks + 1 : 0;
            changed = found == null ? goodChecks >= rise && move(Event.RISE) : badChecks >= fall && move(Event.FALL);
        }
        if (changed && found == null) {
            CoreLog.PROXY.backendBack(address.text());
        } else if (changed) {
            CoreLog.PROXY.backendDown(address.text(), Plural.of(fall, "health check"), String.valueOf(found));
        }
    }

    // ---- draining

    void drain() {
        if (move(Event.DRAIN)) {
            CoreLog.PROXY.backendDraining(address.text());
        }
    }

    void resume() {
        if (move(Event.RESUME)) {
            CoreLog.PROXY.backendBack(address.text());
        }
    }

    /** False if the event is ignored. */
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

    /** What is counted of a backend. Thread-safe. */
    static final class Figures {

        private static final MetricFamily UP =
                gauge("millrace_backend_up", "1: it gets requests; 0: it is down, ejected or draining");
        private static final MetricFamily REQUESTS =
                counter("millrace_backend_requests_total", "Requests that were sent to it, each attempt of them");
        private static final MetricFamily DURATION = MetricFamily.histogram(
                "millrace_backend_duration_seconds", "Time from the choice of the backend to the end of its response");
        private static final MetricFamily CONNECTIONS =
                gauge("millrace_backend_connections", "Connections to it, open or being opened");
        private static final MetricFamily RETRIES =
                counter("millrace_backend_retries_total", "Requests that it got after another attempt had failed");

        private final LongAdder retries = new LongAdder();
        private final Durations durations = new Durations();

        /** Adds them to those of the proxy. */
        void addTo(MetricGroup proxy, Backend backend) {
            MetricGroup group = proxy.besides(
                    "proxy", proxy.subject(), "backend", backend.address().text());
            group.number(UP, () -> backend.state() == BackendState.UP ? 1 : 0);
            group.number(REQUESTS, durations::count);
            group.histogram(DURATION, durations::read);
            group.number(CONNECTIONS, () -> backend.pool().connections());
            group.number(RETRIES, retries::sum);
        }

        void retried() {
            retries.increment();
        }

        void ended(long nanos) {
            durations.add(nanos);
        }
    }
}
