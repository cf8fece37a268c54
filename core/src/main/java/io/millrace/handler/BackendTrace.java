package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What became of a request that was passed on to another server: which, at what attempt, and how long each phase of the last attempt took. An
 * access log writes it ({@code %{backend}r} and others). Written by one thread after the other, read by any.
 */
public final class BackendTrace {

    /** On the exchange, if it was passed on. */
    public static final AttributeKey<BackendTrace> KEY = AttributeKey.of("backend", BackendTrace.class);

    private static final long NEVER = -1;

    private volatile @Nullable String backend;
    private volatile int attempts;
    private volatile long begun;
    private volatile long connected = NEVER;
    private volatile long answered = NEVER;
    private volatile long ended = NEVER;

    /**
     * A backend is asked; the times of the one before are forgotten.
     *
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

    /** There is a connection for the request, kept or new. */
    public void connected() {
        connected = System.nanoTime() - begun;
    }

    /** The head of the final response came. */
    public void answered() {
        answered = System.nanoTime() - begun;
    }

    /** The response is whole, or there will be none. */
    public void ended() {
        if (ended == NEVER && attempts > 0) {
            ended = System.nanoTime() - begun;
        }
    }

    /** The value of this name, times in milliseconds; null if it is not known, or there is no such name. */
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
