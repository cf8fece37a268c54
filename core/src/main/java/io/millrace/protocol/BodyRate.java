package io.millrace.protocol;

import static io.millrace.io.TransportOptions.MIN_DOWNLOAD_RATE;
import static io.millrace.io.TransportOptions.MIN_DOWNLOAD_RATE_GRACE;
import static io.millrace.protocol.HttpOptions.MIN_UPLOAD_RATE;
import static io.millrace.protocol.HttpOptions.MIN_UPLOAD_RATE_GRACE;

import io.millrace.io.Delays;
import io.millrace.settings.Settings;
import java.time.Duration;

/**
 * Enforces the minimum rate of a body; without one, a client that sends, or takes, an octet every few seconds could occupy
 * a connection, and the thread that reads or writes, indefinitely. A token bucket of time: it is full at first; each wait for the
 * client drains it; each octet refills it by the time that it may take at the minimum rate. Pauses are thus tolerated,
 * and a fast start earns no credit beyond a full bucket.
 *
 * <p><b>Threads.</b> Confined to the owner of the input or output, or guarded by its lock.
 */
public final class BodyRate {

    private static final long SECOND = 1_000_000_000;

    /** Without a rate it has no state. */
    private static final BodyRate ANY = new BodyRate(0, 0);

    private final long nanosPerOctet;
    private final long most;
    private long left;
    private long since;
    private boolean waiting;

    private BodyRate(long nanosPerOctet, long most) {
        this.nanosPerOctet = nanosPerOctet;
        this.most = most;
        left = most;
    }

    /** No minimum rate: the same object for all bodies. */
    public static BodyRate any() {
        return ANY;
    }

    /**
     * The minimum rate of requests' bodies by a connector's settings.
     *
     * @param timeout the timeout of each wait, which is never cut short; with zero there is no minimum rate
     */
    public static BodyRate ofUploads(Settings options, Duration timeout) {
        return of(options.get(MIN_UPLOAD_RATE), options.get(MIN_UPLOAD_RATE_GRACE), timeout);
    }

    /**
     * The minimum rate of responses by a connector's settings.
     *
     * @param timeout the timeout of each wait, which is never cut short; with zero there is no minimum rate
     */
    public static BodyRate ofDownloads(Settings options, Duration timeout) {
        return of(options.get(MIN_DOWNLOAD_RATE), options.get(MIN_DOWNLOAD_RATE_GRACE), timeout);
    }

    private static BodyRate of(int rate, Duration grace, Duration timeout) {
        if (rate <= 0 || timeout.isZero()) {
            return any();
        }
        return new BodyRate(SECOND / rate, Delays.nanos(grace.compareTo(timeout) > 0 ? grace : timeout));
    }

    /** Records that this many octets have arrived. */
    public void came(long bytes) {
        if (most > 0) {
            // both are limited, so that a large number of octets does not overflow
            left += Math.min(most - left, Math.min(bytes, most) * nanosPerOctet);
        }
    }

    /** Records that a wait for the client begins. */
    public void begin() {
        if (most > 0) {
            waiting = true;
            since = System.nanoTime();
        }
    }

    /** Records that the wait, if there was one, has ended. */
    public void end() {
        if (waiting) {
            waiting = false;
            left -= System.nanoTime() - since;
        }
    }

    /** Whether the client has been too slow, the current wait included. */
    public boolean isOver(long now) {
        return most > 0 && (waiting ? left - (now - since) : left) <= 0;
    }

    /** Whether the client has been too slow. */
    public boolean isOver() {
        return most > 0 && left <= 0;
    }

    /** How long the next wait may last, given the timeout of a single wait; zero for no limit. */
    public Duration limit(Duration timeout) {
        if (most == 0 || left >= Delays.nanos(timeout)) {
            return timeout;
        }
        return Duration.ofNanos(Math.max(1, left));
    }
}
