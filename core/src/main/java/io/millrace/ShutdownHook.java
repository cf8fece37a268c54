package io.millrace;

import io.millrace.io.Delays;
import io.millrace.log.CoreLog;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Stops a server gracefully when the JVM shuts down: at SIGTERM, SIGINT, SIGHUP, {@link System#exit}, or the end of the last
 * thread that is no daemon. The JVM waits for its hooks without a limit, so the hook has one: an application that calls {@link
 * System#exit} when it is stopped waits for the hook, which waits for the application.
 */
final class ShutdownHook {

    /**
     * How long the rest may take, after the drain delay and the grace period: closing the connections that are left, and
     * stopping the applications.
     */
    private static final Duration REST = Duration.ofSeconds(35);

    private final Consumer<Duration> stop;
    private final Duration grace;
    private final long limitMillis;
    private final Thread hook = new Thread(this::run, "millrace-shutdown");

    /**
     * A hook that is not registered.
     *
     * @param stop stops the server within a grace period; blocks
     * @param limitNanos how long the JVM waits for the server
     */
    ShutdownHook(Consumer<Duration> stop, Duration grace, long limitNanos) {
        this.stop = stop;
        this.grace = grace;
        limitMillis = TimeUnit.NANOSECONDS.toMillis(limitNanos);
    }

    /** The drain delay, the grace period and {@link #REST}. */
    static long limitNanos(Duration drainDelay, Duration grace) {
        return Delays.bounded(Delays.nanos(drainDelay) + Delays.nanos(grace)) + REST.toNanos();
    }

    /** @throws IllegalStateException if the JVM is already shutting down, which ends the server as well */
    void register() {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException exiting) {
            throw new IllegalStateException("the server cannot start: the JVM is shutting down", exiting);
        }
    }

    /** To be called when the server has stopped: otherwise the hook would retain it until the JVM ends. */
    void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException exiting) {
            // the hook is running, and finds that the server has stopped
        }
    }

    /** Stops the server, on another thread so that the wait can end before the stop does. */
    void run() {
        Thread stopper = new Thread(() -> stop.accept(grace), "millrace-stop");
        stopper.setDaemon(true);
        try {
            stopper.start();
        } catch (OutOfMemoryError noThread) {
            stop.accept(grace);
            return;
        }
        try {
            stopper.join(limitMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (stopper.isAlive()) {
            CoreLog.SERVER.stillStopping(limitMillis);
        }
    }
}
