package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.RoutePrediction.State;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is expected of a route … */
final class RoutePredictionTest {

    private static final long SHORT = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long LONG = TimeUnit.MILLISECONDS.toNanos(2);

    private final RoutePrediction route = new RoutePrediction();
    private long now = 1_000;

    private void learn() {
        for (int i = 1; i < RoutePrediction.TRIED; i++) {
            assertFalse(route.ranOnWorker(SHORT, now));
        }
        assertTrue(route.ranOnWorker(SHORT, now));
    }

    @Test
    void isShortAfterSixtyFourShortRuns() {
        assertFalse(route.isShort(now));
        learn();
        assertTrue(route.isShort(now));
    }

    @Test
    void beginsToCountAnewAfterOneThatTookLonger() {
        for (int i = 1; i < RoutePrediction.TRIED; i++) {
            assertFalse(route.ranOnWorker(SHORT, now));
        }
        assertFalse(route.ranOnWorker(RoutePrediction.SHORT_NANOS + 1, now));
        learn();
        assertEquals(State.SHORT, route.state());
    }

    @Test
    void isLongAfterOneRunThatWaited() {
        learn();
        assertTrue(route.ranInline(SHORT, true, false, now));
        assertFalse(route.isShort(now));
        assertFalse(route.isUnknown(), "its runs are not even measured");
    }

    @Test
    void isTriedAgainAfterASecondAndThenLaterEachTime() {
        long penalty = RoutePrediction.FIRST_PENALTY;
        while (penalty < RoutePrediction.LAST_PENALTY) {
            learn();
            assertTrue(route.ranInline(SHORT, true, true, now));
            assertFalse(route.isShort(now + penalty - 1) || route.isUnknown());
            now += penalty;
            assertFalse(route.isShort(now));
            assertTrue(route.isUnknown());
            penalty *= 2;
        }
        learn();
        route.ranInline(SHORT, true, true, now);
        now += RoutePrediction.LAST_PENALTY;
        route.isShort(now);
        assertTrue(route.isUnknown(), "it is tried again however often it was wrong");
    }

    @Test
    void isForgivenWhenItWasShortForLong() {
        learn();
        route.ranInline(SHORT, true, false, now);
        now += RoutePrediction.FIRST_PENALTY;
        route.isShort(now);
        learn();
        now += 100 * RoutePrediction.FIRST_PENALTY;
        route.ranInline(SHORT, true, false, now);
        now += RoutePrediction.FIRST_PENALTY;
        route.isShort(now);
        assertTrue(route.isUnknown());
    }

    @Test
    void staysShortWhenGarbageIsCollectedOnceASecond() {
        learn();
        for (int i = 0; i < 100; i++) {
            assertFalse(route.ranInline(LONG, false, false, now));
            now += TimeUnit.SECONDS.toNanos(1);
        }
        assertTrue(route.isShort(now));
    }

    @Test
    void isLongWhenItComputesForLongAgainAndAgain() {
        learn();
        int runs = 1;
        while (!route.ranInline(LONG, false, true, now)) {
            runs++;
            now += TimeUnit.MILLISECONDS.toNanos(10);
        }
        assertTrue(runs <= 3, runs + " runs");
        assertEquals(State.LONG, route.state());
    }
}
