package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How a request was forwarded to a backend: to which one, the number of attempts, and the duration of each phase of the
 * last attempt. For access logs ({@code %{backend}r} and others). Written by one thread at a time, read by any thread.
 */
public final class BackendTrace {

    /** Set on the exchange if it was forwarded. */
    public static final AttributeKey<BackendTrace> KEY = AttributeKey.of("backend", BackendTrace.class);

    private static final long NEVER = -1;

    private volatile @Nullable String backend;
    private volatile int attempts;
    private volatile long begun;
    private volatile long connected = NEVER;
    private volatile long answered = NEVER;
    private volatile long ended = NEVER;

    /**
     * Records a new attempt, which resets the times.
     *
     * @param name the backend
     * @param attempt 1 for the first
     */
    public void attempt(String name, int attempt) {
        backend = name;
        attempts = attempt;
        connected = NEVER;
        answered = NEVER;
        ended = NEVER;
        begun = System.nanoTime();
    }

    /** Records that a connection is available, kept or new. */
    public void connected() {
        connected = System.nanoTime() - begun;
    }

    /** Records that the head of the final response was received. */
    public void answered() {
        answered = System.nanoTime() - begun;
    }

    /** Records that the response is complete, or failed. */
    public void ended() {
        if (ended == NEVER && attempts > 0) {
            ended = System.nanoTime() - begun;
        }
    }

    /** How long the attempt took that has {@linkplain #ended ended}, in nanoseconds. */
    public long nanos() {
        return Math.max(0, ended);
    }

    /** The value of this name, times in milliseconds; null if it is unknown, or there is no such name. */
    @Nullable
    String named(String name) {
        return switch (name) {
            case "backend" -> backend;
            case "backendAttempts" -> attempts == 0 ? null : Integer.toString(attempts);
            case "backendConnectTime" -> millis(connected);
            case "backendHeaderTime" -> millis(answered);
            case "backendTime" -> millis(ended);
            default -> null;
        };
    }

    private static @Nullable String millis(long nanos) {
        return nanos == NEVER ? null : Long.toString(TimeUnit.NANOSECONDS.toMillis(nanos));
    }
}
