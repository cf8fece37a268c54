package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.ConnectionMeter;
import io.millrace.io.Timers;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clock of a connection that waits for its peer … */
@Timeout(60)
final class IdleClockTest {

    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofMinutes(10);

    /** Long enough to keep the test stable on a slow machine. */
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Timers timers = new Timers("timers");
    private final Peer peer = new Peer();
    private final IdleClock clock = new IdleClock(peer);

    @AfterEach
    void stop() {
        timers.close();
    }

    @Test
    void tellsOnceThatTheWaitIsTooLongAndNotBefore() throws Exception {
        clock.timeout(SHORT);
        long start = System.nanoTime();
        await();
        peer.awaitOverdue();
        assertTrue(System.nanoTime() - start >= SHORT.toNanos());
        assertTrue(clock.isInputOver());
        assertFalse(peer.isOverdueWithin(SHORT.multipliedBy(3)), "only a new wait sets it again");
    }

    @Test
    void tellsAgainIfTheWaitGoesOn() throws Exception {
        clock.timeout(SHORT);
        for (int i = 0; i < 3; i++) {
            await();
            peer.awaitOverdue();
        }
    }

    @Test
    void countsFromTheLastTimeThatTheWaitBegan() throws Exception {
        clock.timeout(SECOND);
        await();
        assertFalse(peer.isOverdueWithin(SHORT));
        long again = System.nanoTime();
        await();
        peer.awaitOverdue();
        assertTrue(System.nanoTime() - again >= SECOND.toNanos());
    }

    @Test
    void saysNothingWithoutATimeoutOrAWait() throws Exception {
        await();
        assertEquals(0, clock.inputDeadline());
        assertFalse(clock.isInputOver());
        peer.waiting = false;
        clock.timeout(SHORT);
        clock.beginInput();
        clock.watch(clock.inputDeadline());
        assertFalse(peer.isOverdueWithin(SHORT.multipliedBy(3)), "the peer is not waited for");
    }

    @Test
    void comesEarlierForAShorterTimeoutOfAWaitThatIsUnderWay() throws Exception {
        clock.timeout(LONG);
        await();
        assertFalse(clock.isInputOver());
        clock.timeout(SHORT);
        peer.awaitOverdue();
    }

    @Test
    void saysNothingOnceItIsStoppedOrTheConnectionIsClosed() throws Exception {
        clock.timeout(SECOND);
        await();
        clock.stop();
        peer.closed = true;
        await();
        assertFalse(peer.isOverdueWithin(SECOND.plus(SHORT)), "no timer is set any more");
    }

    @Test
    void isSetByTheNextWaitIfNoTimerCouldBeSet() throws Exception {
        peer.failure = new OutOfMemoryError("planted by the test");
        assertThrows(OutOfMemoryError.class, () -> {
            clock.timeout(SHORT);
            await();
        });
        peer.failure = null;
        await();
        peer.awaitOverdue();
    }

    @Test
    void countsAWriteByItselfWhateverBeginsToWaitForInputMeanwhile() throws Exception {
        clock.timeout(SHORT);
        long deadline = clock.beginOutput();
        peer.writing = true;
        clock.watch(deadline);
        clock.timeout(LONG);
        await();
        peer.awaitOverdue();
        assertTrue(clock.isOutputOver());
        assertFalse(clock.isInputOver());
    }

    @Test
    void givesAPeerThatTakesAByteNowAndThenTheGracePeriodInTotal() {
        peer.rate = new OutputRate(240, SECOND.toNanos());
        clock.timeout(SECOND.minus(SHORT)); // of one wait: a busy machine stops this thread for some of it
        long start = System.nanoTime();
        do {
            assertTrue(System.nanoTime() - start < SECOND.toNanos() * 30, "a byte restarts the time");
            clock.beginOutput();
            clock.sent(0);
        } while (!clock.isOutputOver());
        assertTrue(System.nanoTime() - start >= SECOND.toNanos());
        assertTrue(clock.isPeerTooSlow());

        clock.sent(1_000); // four seconds' worth
        clock.beginOutput();
        assertFalse(clock.isPeerTooSlow());
    }

    @Test
    void doesNotCountTheTimeInWhichNothingWaitsToBeSent() throws Exception {
        peer.rate = new OutputRate(240, SECOND.toNanos());
        clock.timeout(SHORT);
        for (int i = 0; i < 25; i++) {
            clock.beginOutput();
            clock.sent(1);
            clock.endOutput();
            assertFalse(peer.isOverdueWithin(SHORT));
        }
        clock.beginOutput();
        assertFalse(clock.isPeerTooSlow());
    }

    private void await() {
        clock.beginInput();
        peer.waiting = true;
        clock.watch(clock.inputDeadline());
    }

    /** A connection whose waits the test controls. */
    private final class Peer implements IdleCheck {

        private final Semaphore overdue = new Semaphore(0);
        private volatile boolean waiting;
        private volatile boolean writing;
        private volatile boolean closed;
        private OutputRate rate = OutputRate.ANY;
        private @Nullable Error failure;

        void awaitOverdue() throws InterruptedException {
            assertTrue(overdue.tryAcquire(30, TimeUnit.SECONDS));
        }

        boolean isOverdueWithin(Duration time) throws InterruptedException {
            return overdue.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public boolean isWaitingForInput() {
            return waiting;
        }

        @Override
        public boolean isWaitingForOutput() {
            return writing;
        }

        @Override
        public ConnectionMeter meter() {
            return new ConnectionMeter();
        }

        @Override
        public OutputRate outputRate() {
            return rate;
        }

        @Override
        public void overdue() {
            overdue.release();
        }

        @Override
        public Timers timers() {
            if (failure != null) {
                throw failure;
            }
            return timers;
        }
    }
}
