package io.millrace.testkit;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** How long tests wait for an event before they fail. */
public final class Deadline {

    /** Generous: reached only if something is broken, even on a busy machine. */
    public static final Duration DEFAULT = Duration.ofSeconds(20);

    private Deadline() {}

    /** Waits for a latch. */
    public static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(DEFAULT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("still " + latch.getCount() + " to count down after " + DEFAULT);
        }
    }

    /** Waits for a latch where no checked exception may be thrown. */
    public static void awaitUninterrupted(CountDownLatch latch) {
        try {
            await(latch);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Waits for a result. */
    public static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(DEFAULT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Lets time pass, for tests of time itself. */
    public static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Waits for a condition by polling. */
    public static void await(String what, BooleanSupplier happened) {
        await(what, DEFAULT, happened);
    }

    /** Waits for a condition by polling, with a longer deadline. */
    public static void await(String what, Duration longest, BooleanSupplier happened) {
        long end = System.nanoTime() + longest.toNanos();
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("waited " + longest + " for " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
