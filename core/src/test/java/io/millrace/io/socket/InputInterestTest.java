package io.millrace.io.socket;

import static io.millrace.io.socket.InputInterest.Event.AWAIT;
import static io.millrace.io.socket.InputInterest.Event.READY;
import static io.millrace.io.socket.InputInterest.Event.TAKE;
import static io.millrace.io.socket.InputInterest.State.ARMED;
import static io.millrace.io.socket.InputInterest.State.SUSPENDED;
import static io.millrace.io.socket.InputInterest.State.WANTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.socket.InputInterest.Event;
import io.millrace.io.socket.InputInterest.State;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

final class InputInterestTest {

    @Test
    void hasATransitionForEveryStateAndEventThatItsTableNames() {
        Map<State, Map<Event, State>> table = new EnumMap<>(State.class);
        table.put(SUSPENDED, Map.of(AWAIT, WANTED));
        table.put(ARMED, Map.of(AWAIT, WANTED, READY, SUSPENDED));
        table.put(WANTED, Map.of(READY, ARMED, TAKE, ARMED));
        for (State from : State.values()) {
            for (Event event : Event.values()) {
                if (from == WANTED && event == AWAIT) {
                    IllegalStateException error =
                            assertThrows(IllegalStateException.class, () -> InputInterest.next(from, event));
                    assertTrue(String.valueOf(error.getMessage()).contains("WANTED, AWAIT"));
                } else {
                    assertEquals(
                            table.getOrDefault(from, Map.of()).get(event),
                            InputInterest.next(from, event),
                            from + ", " + event);
                }
            }
        }
    }

    @Test
    void waitsWithoutTouchingThePollerOnceItIsArmed() {
        LevelTriggeredPoller poller = new LevelTriggeredPoller();
        InputInterest interest = new InputInterest();
        interest.await(poller);
        assertTrue(interest.ready(poller));
        interest.await(poller);
        assertEquals(1, poller.switched.get());
    }

    @Test
    void suspendsAtAnUnwantedEventAndResumesWithTheNextWait() {
        LevelTriggeredPoller poller = new LevelTriggeredPoller();
        InputInterest interest = new InputInterest();
        interest.await(poller);
        assertTrue(interest.ready(poller));
        assertFalse(interest.ready(poller), "no reader is waiting");
        assertTrue(interest.isSuspended());
        assertFalse(poller.armed.get());
        interest.await(poller);
        assertTrue(poller.armed.get());
        assertTrue(interest.ready(poller));
    }

    @Test
    void letsATimeOutTakeTheWaitOnce() {
        LevelTriggeredPoller poller = new LevelTriggeredPoller();
        InputInterest interest = new InputInterest();
        assertFalse(interest.take());
        interest.await(poller);
        assertTrue(interest.take());
        assertFalse(interest.take());
    }

    /** The owner waits, is called, reads and works; the poller reports further input meanwhile. No input may be lost. */
    @Test
    void losesNoWakeUpBetweenTwoThreads() throws Exception {
        int rounds = 30_000;
        LevelTriggeredPoller poller = new LevelTriggeredPoller();
        InputInterest interest = new InputInterest();
        AtomicInteger arrived = new AtomicInteger();
        AtomicInteger consumed = new AtomicInteger();
        AtomicInteger calls = new AtomicInteger();
        AtomicBoolean done = new AtomicBoolean();
        Thread ioThread = new Thread(() -> {
            while (!done.get()) {
                if (arrived.get() == consumed.get()
                        && ThreadLocalRandom.current().nextInt(4) == 0) {
                    arrived.incrementAndGet();
                }
                if (poller.armed.get() && arrived.get() > consumed.get() && interest.ready(poller)) {
                    calls.incrementAndGet();
                }
                if (ThreadLocalRandom.current().nextInt(1024) == 0) {
                    LockSupport.parkNanos(1);
                }
            }
        });
        ioThread.start();
        try {
            for (int round = 1; round <= rounds; round++) {
                interest.await(poller);
                int expected = round;
                if (!spin(calls, expected)) {
                    awaitCalls(calls, expected);
                }
                assertEquals(expected, calls.get(), "one call for each wait");
                consumed.set(arrived.get());
                for (int work = ThreadLocalRandom.current().nextInt(200); work > 0; work--) {
                    Thread.onSpinWait();
                }
            }
        } finally {
            done.set(true);
            ioThread.join();
        }
    }

    private static void awaitCalls(AtomicInteger calls, int expected) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (calls.get() < expected) {
            assertTrue(System.nanoTime() - end < 0, "wake-up " + expected + " is lost");
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean spin(AtomicInteger calls, int expected) {
        for (int i = 0; i < 20_000; i++) {
            if (calls.get() >= expected) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /** The interest switch of a socket, for any thread, which counts its calls. */
    private static final class LevelTriggeredPoller implements InputInterest.Switch {
        final AtomicBoolean armed = new AtomicBoolean();
        final AtomicInteger switched = new AtomicInteger();

        @Override
        public void suspendReads() {
            armed.set(false);
            switched.incrementAndGet();
        }

        @Override
        public void resumeReads() {
            armed.set(true);
            switched.incrementAndGet();
        }
    }
}
