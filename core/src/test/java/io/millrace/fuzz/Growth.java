package io.millrace.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * How the work of a call grows with its input, by the processor time of this thread alone, so that a busy machine makes no
 * difference: four times the input is four times the work if that is linear, and sixteen times if it is quadratic.
 */
public final class Growth {

    private static final int ROUNDS = 5;
    private static final double MOST = 9;

    /** Less than this is not told apart from the clock's own grain and the compiler. */
    private static final long NEGLIGIBLE_NANOS = 3_000_000;

    private Growth() {}

    /** The work for input of this size, and for four times as much, the best of several rounds each. */
    public static <T> void assertLinear(int size, IntFunction<T> input, Consumer<T> work) {
        T small = input.apply(size);
        T large = input.apply(4 * size);
        long least = Long.MAX_VALUE;
        long most = Long.MAX_VALUE;
        for (int i = 0; i < ROUNDS && !isLinear(least, most); i++) {
            least = Math.min(least, nanos(small, work));
            most = Math.min(most, nanos(large, work));
        }
        assertTrue(
                isLinear(least, most),
                least / 1000 + " µs for the input, " + most / 1000 + " µs for four times as much");
    }

    private static boolean isLinear(long least, long most) {
        return most < NEGLIGIBLE_NANOS || most != Long.MAX_VALUE && most < MOST * least;
    }

    private static <T> long nanos(T input, Consumer<T> work) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        work.accept(input);
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    }
}
