package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.RoutePrediction.State;
import io.millrace.workers.Workers.Verdict;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is expected of a route … */
final class RoutePredictionTest {

    private static final long SHORT = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long LONG = TimeUnit.MILLISECONDS.toNanos(2);

    private final RoutePrediction route = new RoutePrediction();
    private long now = 1_000;

    private void learn() {
        for (int i = 1; i < RoutePrediction.TRIED; i++) {
            assertNull(route.ranOnWorker(SHORT, false, now));
        }
        assertEquals(State.SHORT, route.ranOnWorker(SHORT, false, now));
    }

    private @Nullable State inline(long nanos, Verdict verdict) {
        return route.ranInline(nanos, false, verdict, now);
    }

    @Test
    void isShortAfterSixtyFourShortRuns() {
        assertFalse(route.isShort(now));
        learn();
        assertTrue(route.isShort(now));
    }

    @Test
    void isShortAlthoughAFewOfThemWaitedForAProcessor() {
        for (int i = 1; i < RoutePrediction.TRIED; i++) {
            assertNull(route.ranOnWorker(i % 4 == 0 ? LONG : SHORT, false, now));
        }
        assertEquals(State.SHORT, route.ranOnWorker(SHORT, false, now));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isLongAfterSeventeenRunsThatTookLongOrWaited(boolean waits) {
        for (int i = 0; i < RoutePrediction.TOLERATED; i++) {
            assertNull(route.ranOnWorker(waits ? SHORT : LONG, waits, now));
            assertNull(route.ranOnWorker(SHORT, false, now));
        }
        assertEquals(State.LONG, route.ranOnWorker(waits ? SHORT : LONG, waits, now));
        assertFalse(route.isShort(now));
        assertFalse(route.isUnknown(), "its runs are not even measured");
    }

    @Test
    void isLongAfterOneRunThatWasSeenWaiting() {
        learn();
        assertEquals(State.LONG, inline(SHORT, Verdict.WAITED));
        assertFalse(route.isShort(now));
        assertFalse(route.isUnknown(), "its runs are not even measured");
    }

    @Test
    void isTriedAgainAfterASecondAndThenLaterEachTime() {
        long penalty = RoutePrediction.FIRST_PENALTY;
        while (penalty < RoutePrediction.LAST_PENALTY) {
            learn();
            assertEquals(State.LONG, inline(SHORT, Verdict.WAITED));
            assertFalse(route.isShort(now + penalty - 1) || route.isUnknown());
            now += penalty;
            assertFalse(route.isShort(now));
            assertTrue(route.isUnknown());
            penalty *= 2;
        }
        learn();
        inline(SHORT, Verdict.WAITED);
        now += RoutePrediction.LAST_PENALTY;
        route.isShort(now);
        assertTrue(route.isUnknown(), "it is tried again however often it was wrong");
    }

    @Test
    void isTriedLaterEachTimeIfItNeverBecomesShort() {
        for (long penalty = RoutePrediction.FIRST_PENALTY; penalty < RoutePrediction.LAST_PENALTY; penalty *= 2) {
            while (route.ranOnWorker(LONG, false, now) == null) {
                assertTrue(route.isUnknown());
            }
            assertFalse(route.isShort(now + penalty - 1) || route.isUnknown());
            now += penalty;
            assertFalse(route.isShort(now));
            assertTrue(route.isUnknown());
        }
    }

    @Test
    void isForgivenWhenItWasShortForLong() {
        learn();
        inline(SHORT, Verdict.WAITED);
        now += RoutePrediction.FIRST_PENALTY;
        route.isShort(now);
        learn();
        now += 100 * RoutePrediction.FIRST_PENALTY;
        inline(SHORT, Verdict.WAITED);
        now += RoutePrediction.FIRST_PENALTY;
        route.isShort(now);
        assertTrue(route.isUnknown());
    }

    @Test
    void staysShortWhenOneRunOfTenLosesItsProcessor() {
        learn();
        for (int i = 0; i < 100_000; i++) {
            assertNull(inline(i % 10 == 0 ? LONG : SHORT, Verdict.SHORT));
            now += SHORT;
        }
        assertTrue(route.isShort(now));
    }

    @Test
    void staysShortWhenGarbageIsCollectedInARunOfEachLoop() {
        learn();
        for (int i = 0; i < 31; i++) {
            assertNull(inline(LONG, Verdict.SHORT));
        }
        assertTrue(route.isShort(now));
    }

    @Test
    void isLongWhenMoreThanOneRunOfNineIsSlow() {
        learn();
        int runs = 0;
        while (inline(runs % 8 == 0 ? LONG : SHORT, Verdict.SHORT) == null) {
            runs++;
        }
        assertTrue(runs < 10_000, runs + " runs");
        assertEquals(State.LONG, route.state());
    }

    @Test
    void isLongWhenTheRunsThatAreMeasuredWait() {
        learn();
        int measured = 0;
        for (int number = 65_536; route.state() == State.SHORT; number++) {
            boolean isMeasured = RoutePrediction.isMeasured(number);
            measured += isMeasured ? 1 : 0;
            route.ranInline(SHORT, isMeasured, Verdict.SHORT, now);
            assertTrue(number < 2 * 65_536, "it remains short");
        }
        assertTrue(measured <= 64, measured + " runs");
    }

    @Test
    void isLongWhenItComputesForLongTwiceInASecond() {
        learn();
        for (int i = 0; i < 100; i++) {
            assertNull(inline(LONG, Verdict.COMPUTED));
            now += TimeUnit.SECONDS.toNanos(1);
            for (int j = 0; j < 10; j++) {
                assertNull(inline(SHORT, Verdict.SHORT));
            }
        }
        assertNull(inline(LONG, Verdict.COMPUTED));
        now += TimeUnit.MILLISECONDS.toNanos(999);
        assertEquals(State.LONG, inline(LONG, Verdict.COMPUTED));
    }
}
