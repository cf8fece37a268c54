package io.millrace.protocol;

import static io.millrace.protocol.HttpOptions.MIN_UPLOAD_RATE;
import static io.millrace.protocol.HttpOptions.MIN_UPLOAD_RATE_GRACE;

import io.millrace.io.Delays;
import io.millrace.settings.Settings;
import java.time.Duration;

/**
 * The minimum rate of a request body: without it an octet every few seconds would hold a connection, and a thread that reads,
 * for as long as the client likes. A token bucket of time: it is full at first, each wait for the client drains it, each octet
 * refills it by the time it may take at the minimum rate. So a pause is forgiven, and a fast start accumulates no credit beyond
 * a full bucket.
 *
 * <p><b>Threads.</b> For the owner of the connection or of the exchange, whoever has the input.
 */
public final class UploadRate {

    /** What the reader of a body gets that comes more slowly. */
    public static final RequestViolation TOO_SLOW = new RequestViolation(
            408, "a request body that came more slowly than it has to", "minUploadRate, or minUploadRateGrace");

    /** Any rate. */
    private static final long ANY = 0;

    private static final long SECOND = 1_000_000_000;

    private final long nanosPerOctet;
    private final long most;
    private long left;
    private long since;
    private boolean waiting;

    private UploadRate(long nanosPerOctet, long most) {
        this.nanosPerOctet = nanosPerOctet;
        this.most = most;
        left = most;
    }

    /** Asks for nothing. */
    public static UploadRate any() {
        return new UploadRate(ANY, 0);
    }

    /**
     * What a connector's options ask for.
     *
     * @param timeout of each wait, which is never cut short; zero asks for nothing, as does a rate without limit
     */
    public static UploadRate of(Settings options, Duration timeout) {
        int rate = options.get(MIN_UPLOAD_RATE);
        if (rate <= 0 || timeout.isZero()) {
            return any();
        }
        Duration grace = options.get(MIN_UPLOAD_RATE_GRACE);
        return new UploadRate(SECOND / rate, Delays.nanos(grace.compareTo(timeout) > 0 ? grace : timeout));
    }

    /** So many octets came. */
    public void came(long octets) {
        if (most > 0) {
            // at most what is missing, or many octets would be more time than fits a long
            left += Math.min(most - left, Math.min(octets, most) * nanosPerOctet);
        }
    }

    /** The wait for more begins. */
    public void begin() {
        if (most > 0) {
            waiting = true;
            since = System.nanoTime();
        }
    }

    /** It is over, if there was one. */
    public void end() {
        if (waiting) {
            waiting = false;
            left -= System.nanoTime() - since;
        }
    }

    /** Has the client been too slow? */
    public boolean isOver() {
        return most > 0 && left <= 0;
    }

    /** How long the next wait may last, beside the upload timeout; zero for ever. */
    public Duration limit(Duration timeout) {
        if (most == 0 || left >= Delays.nanos(timeout)) {
            return timeout;
        }
        return Duration.ofNanos(Math.max(1, left));
    }
}
