package io.millrace.io;

import io.millrace.jfr.Recorder;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * How often the clients of a connector have reached the limits of what one of them may occupy. {@code docs/guide/hardening.md}
 * lists them with their attributes and defaults. Thread-safe.
 */
public final class ReachedLimits {

    /** A limit of what one client may occupy. */
    public enum Limit {
        /** A connection was reset because its peer took output more slowly than {@code minDownloadRate}. */
        CONNECTION_DOWNLOAD_RATE("minDownloadRate"),
        /** A stream of HTTP/2 or SPDY was reset because its peer opened windows more slowly than {@code minDownloadRate}. */
        STREAM_DOWNLOAD_RATE("minDownloadRate"),
        /** The body of a request came more slowly than {@code minUploadRate}. */
        UPLOAD_RATE("minUploadRate"),
        /** A request on an HTTP/2 or SPDY connection was held back, because its peer had caused many stream resets. */
        RESETS("streamResets"),
        /** An HTTP/2 or SPDY connection was closed, because its peer caused more resets or frames without effect than allowed. */
        FLOODS("floods"),
        /** A request, or a task of one, waited because its HTTP/2 or SPDY connection occupied its share of the workers. */
        CONNECTION_WORKERS("maxConcurrentStreamExecution"),
        /** A request, or a task of one, waited because its client's address occupied {@code maxThreadsPerAddress} workers. */
        ADDRESS_WORKERS("maxThreadsPerAddress"),
        /** The first request on a connection waited because many requests of its client's address had been aborted. */
        ADDRESS_ABORTS("maxAbortsPerAddress");

        private final String attribute;

        Limit(String attribute) {
            this.attribute = attribute;
        }

        /** The attribute that sets it; a name of its own if none does. */
        public String attribute() {
            return attribute;
        }
    }

    private final Map<Limit, LongAdder> times = new EnumMap<>(Limit.class);
    private volatile Consumer<String> listener = attribute -> {};
    private final LogThrottle<Limit> throttle = new LogThrottle<>(Limit.class);

    /** Limits that nobody has reached. */
    public ReachedLimits() {
        for (Limit limit : Limit.values()) {
            times.put(limit, new LongAdder());
        }
    }

    /** Counts a client that has reached a limit. True, at most once a minute, if the caller is to log it. */
    public boolean reached(Limit limit) {
        count(limit).increment();
        exceeded(limit.attribute());
        return throttle.isDue(limit);
    }

    /**
     * Counts a request or connection that was refused because of a limit, or of a rule that an attribute relaxes.
     *
     * @param attribute the name of that attribute
     */
    public void exceeded(String attribute) {
        listener.accept(attribute);
        Recorder.limitExceeded(attribute);
    }

    /** Sets who is told the attribute each time: on any thread, so that it must not block. */
    public void notifying(Consumer<String> newListener) {
        listener = newListener;
    }

    /** How often this limit has been reached since the connector was created. */
    public long times(Limit limit) {
        return count(limit).sum();
    }

    private LongAdder count(Limit limit) {
        LongAdder count = times.get(limit);
        if (count == null) {
            throw new IllegalArgumentException("unknown limit: " + limit);
        }
        return count;
    }
}
