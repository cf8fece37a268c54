package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A delay in nanoseconds … */
class DelaysTest {

    @Test
    void isTheDelayUnlessThatIsNegativeOrTooLong() {
        assertEquals(1_500_000, Delays.nanos(Duration.ofNanos(1_500_000)));
        assertEquals(20_000_000_000L, Delays.nanosOfMillis(20_000));
        assertEquals(0, Delays.nanos(Duration.ofSeconds(Long.MIN_VALUE)));
        assertEquals(0, Delays.nanosOfMillis(-1));
        assertEquals(Delays.LONGEST_NANOS, Delays.nanos(Duration.ofSeconds(Long.MAX_VALUE)));
        assertEquals(Delays.LONGEST_NANOS, Delays.nanosOfMillis(Long.MAX_VALUE));
    }

    /** As for a request's timeout: the last bit of the deadline is set, since zero means that there is none. */
    @Test
    void endsAfterNowWhateverTheClockShows() {
        Random random = new Random(3);
        for (int i = 0; i < 1_000_000; i++) {
            long now = i % 2 == 0 ? random.nextLong() : Long.MAX_VALUE - random.nextInt(10);
            long millis =
                    i % 5 == 0 ? Long.MAX_VALUE - random.nextInt(1_000) : random.nextLong() >>> random.nextInt(64);
            long delay = Delays.nanosOfMillis(millis);
            long deadline = (now + delay) | 1;
            assertTrue(delay >= 0 && deadline - now >= delay, () -> millis + " ms at " + now);
        }
    }
}
