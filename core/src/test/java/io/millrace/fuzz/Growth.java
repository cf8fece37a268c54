package io.millrace.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * How the work of a call grows with its input, by the processor time of this thread alone. Sixteen times the input is sixteen
 * times the work if that is linear, and 256 times if it is quadratic. The limit is in the middle, a factor of four from both:
 * more than caches, page faults and late compilation do to a thread on a busy machine. The best of several rounds counts.
 */
public final class Growth {

    /** How much larger the large input is. */
    private static final int FACTOR = 16;

    /** Between {@code FACTOR} and its square, at the same ratio from both. */
    private static final int MOST = FACTOR * 4;

    /** Rounds that do not count: classes are loaded, and the loops get compiled. */
    private static final int WARM_UP = 20;

    /** After so many failed rounds, or so much processor time, it is not by chance. */
    private static final int ROUNDS = 40;

    /**
     * Runs of the small input in each round, of which the shortest counts. They follow the large input, so that both run
     * compiled code.
     */
    private static final int SAMPLES = 5;

    private static final long LONGEST_NANOS = 10_000_000_000L;

    /** Less than this is not told apart from the clock's own grain and the compiler. */
    private static final long NEGLIGIBLE_NANOS = 3_000_000;

    private Growth() {}

    /** Compares the work for input of this size with the work for a sixteenth of it. */
    public static <T> void assertLinear(int size, IntFunction<T> input, Consumer<T> work) {
        T small = input.apply(Math.max(size / FACTOR, 1));
        T large = input.apply(size);
        for (int i = 0; i < WARM_UP; i++) {
            work.accept(small);
        }
        long least = Long.MAX_VALUE;
        long most = Long.MAX_VALUE;
        long spent = 0;
        for (int i = 0; i < ROUNDS && spent < LONGEST_NANOS && !isLinear(least, most); i++) {
            long round = nanos(large, work);
            most = Math.min(most, round);
            spent += round;
            for (int j = 0; j < SAMPLES; j++) {
                least = Math.min(least, nanos(small, work));
            }
        }
        assertTrue(
                isLinear(least, most),
                least / 1000 + " µs for the input, " + most / 1000 + " µs for " + FACTOR + " times as much");
    }

    private static boolean isLinear(long least, long most) {
        return most < NEGLIGIBLE_NANOS || most != Long.MAX_VALUE && most / MOST < least;
    }

    private static <T> long nanos(T input, Consumer<T> work) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        work.accept(input);
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    }
}
