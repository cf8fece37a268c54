package io.millrace.race;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Two threads that do their parts at the same moment, again and again for a while, each time to something new. */
public final class Race {

    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final long DEADLINE_SECONDS = 30;

    private Race() {}

    /** What two threads do to one thing, and what must be true afterwards. */
    public interface Round {

        /** On the first thread. */
        void one() throws Exception;

        /** On the second. */
        void other() throws Exception;

        /** On the first, when both are done. */
        void check() throws Exception;
    }

    /** Runs rounds until the time is up. */
    public static void run(Supplier<Round> rounds) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        AtomicReference<@Nullable Round> current = new AtomicReference<>();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        Thread second = new Thread(() -> {
            try {
                meet(barrier);
                while (!over.get()) {
                    Objects.requireNonNull(current.get()).other();
                    meet(barrier);
                    meet(barrier);
                }
            } catch (Throwable thrown) {
                failure.set(thrown);
                barrier.reset();
            }
        });
        second.setDaemon(true);
        second.start();
        long end = System.nanoTime() + NANOS;
        try {
            while (!over.get()) {
                Round round = rounds.get();
                current.set(round);
                meet(barrier);
                round.one();
                meet(barrier);
                round.check();
                over.set(System.nanoTime() - end > 0);
            }
            meet(barrier);
        } catch (Exception met) {
            rethrow(failure.get(), met);
        }
        second.join(TimeUnit.SECONDS.toMillis(DEADLINE_SECONDS));
        assertFalse(second.isAlive(), "the second thread did not end");
        rethrow(failure.get(), null);
    }

    private static void meet(CyclicBarrier barrier) throws Exception {
        barrier.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    private static void rethrow(@Nullable Throwable first, @Nullable Exception second) throws Exception {
        if (first != null) {
            throw new AssertionError("the second thread failed", first);
        }
        if (second != null) {
            throw second;
        }
    }
}
