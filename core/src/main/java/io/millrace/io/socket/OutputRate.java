package io.millrace.io.socket;

import static io.millrace.io.TransportOptions.MIN_DOWNLOAD_RATE;
import static io.millrace.io.TransportOptions.MIN_DOWNLOAD_RATE_GRACE;

import io.millrace.io.Delays;
import io.millrace.io.TransportOptions;
import java.util.concurrent.TimeUnit;

/**
 * The minimum average rate at which peers take output, over the time in which the socket accepts none; the same for all
 * connections of an owner. {@link IdleClock} enforces it.
 *
 * @param rate bytes per second; 0 for no minimum
 * @param graceNanos how far a peer may fall behind
 */
public record OutputRate(int rate, long graceNanos) {

    /** No minimum: a server that is slow has its own timeouts. */
    public static final OutputRate ANY = new OutputRate(0, 0);

    /** The minimum of a connector's settings. */
    public static OutputRate of(TransportOptions options) {
        int rate = options.get(MIN_DOWNLOAD_RATE);
        return rate <= 0 ? ANY : new OutputRate(rate, Delays.nanos(options.get(MIN_DOWNLOAD_RATE_GRACE)));
    }

    /** How long a peer may take for this many bytes, at most {@code limit} nanoseconds, so that it does not overflow. */
    long time(long bytes, long limit) {
        long each = TimeUnit.SECONDS.toNanos(1) / rate;
        return bytes >= limit / Math.max(1, each) ? limit : bytes * each;
    }
}
