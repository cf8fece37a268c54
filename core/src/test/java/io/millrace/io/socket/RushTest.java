package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RushTest {

    private final Rush rush = new Rush();
    private long now = System.nanoTime();

    @Test
    void isOffWhileFewCome() {
        comeEvery(60, 1, 1_000);
        assertFalse(rush.isOn());
        comeEvery(600, 10, 1_000);
        assertFalse(rush.isOn(), "ten together are no more than one each tenth of the time");
    }

    @Test
    void isOnWhileManyCome() {
        comeEvery(30, 1, 100);
        assertTrue(rush.isOn());
        comeEvery(120, 4, 1_000);
        assertTrue(rush.isOn(), "they come as fast, and are let gather");
    }

    @Test
    void takesMoreThanAFewInARow() {
        comeEvery(1, 1, 10);
        assertFalse(rush.isOn());
    }

    @Test
    void endsWithAMillisecondWithoutAnybody() {
        comeEvery(1, 1, 1_000);
        assertTrue(rush.isOn());
        comeEvery(100, 0, 1_000);
        assertTrue(rush.isOn(), "nobody came, nothing is known");
        comeEvery(1, 1, 1);
        assertFalse(rush.isOn());
    }

    private void comeEvery(int micros, int count, int times) {
        for (int i = 0; i < times; i++) {
            now += TimeUnit.MICROSECONDS.toNanos(micros);
            rush.came(count, now);
        }
    }
}
