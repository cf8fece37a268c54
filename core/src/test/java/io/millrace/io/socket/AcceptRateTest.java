package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AcceptRateTest {

    private final AcceptRate rate = new AcceptRate();
    private long now = System.nanoTime();

    @Test
    void isOffWhileFewCome() {
        comeEvery(60, 1, 1_000);
        assertFalse(rate.isHigh());
        comeEvery(600, 10, 1_000);
        assertFalse(rate.isHigh(), "ten together are no more than one each tenth of the time");
    }

    @Test
    void isOnWhileManyCome() {
        comeEvery(30, 1, 100);
        assertTrue(rate.isHigh());
        comeEvery(120, 4, 1_000);
        assertTrue(rate.isHigh(), "they come as fast, and are let gather");
    }

    @Test
    void takesMoreThanAFewInARow() {
        comeEvery(1, 1, 10);
        assertFalse(rate.isHigh());
    }

    @Test
    void endsWithAMillisecondWithoutAnybody() {
        comeEvery(1, 1, 1_000);
        assertTrue(rate.isHigh());
        comeEvery(100, 0, 1_000);
        assertTrue(rate.isHigh(), "an attempt without a connection does not count");
        comeEvery(1, 1, 1);
        assertFalse(rate.isHigh());
    }

    private void comeEvery(int micros, int count, int times) {
        for (int i = 0; i < times; i++) {
            now += TimeUnit.MICROSECONDS.toNanos(micros);
            rate.record(count, now);
        }
    }
}
