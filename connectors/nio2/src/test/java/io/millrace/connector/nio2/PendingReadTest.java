package io.millrace.connector.nio2;

import static io.millrace.connector.nio2.PendingRead.Event.AWAIT;
import static io.millrace.connector.nio2.PendingRead.Event.CLOSE;
import static io.millrace.connector.nio2.PendingRead.Event.COMPLETE;
import static io.millrace.connector.nio2.PendingRead.Event.CONSUME;
import static io.millrace.connector.nio2.PendingRead.Event.RETURN;
import static io.millrace.connector.nio2.PendingRead.Event.START;
import static io.millrace.connector.nio2.PendingRead.Event.TAKE_BACK;
import static io.millrace.connector.nio2.PendingRead.State.CLOSED;
import static io.millrace.connector.nio2.PendingRead.State.DONE;
import static io.millrace.connector.nio2.PendingRead.State.NONE;
import static io.millrace.connector.nio2.PendingRead.State.PENDING;
import static io.millrace.connector.nio2.PendingRead.State.STARTING;
import static io.millrace.connector.nio2.PendingRead.State.WANTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connector.nio2.PendingRead.Event;
import io.millrace.connector.nio2.PendingRead.State;
import io.millrace.testkit.Deadline;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PendingReadTest {

    @Test
    void hasATransitionForEveryStateAndEventThatItsTableNames() {
        Map<State, Map<Event, State>> changes = new EnumMap<>(State.class);
        changes.put(NONE, Map.of(START, STARTING, CLOSE, CLOSED));
        changes.put(STARTING, Map.of(COMPLETE, DONE, RETURN, PENDING));
        changes.put(PENDING, Map.of(COMPLETE, DONE, AWAIT, WANTED));
        changes.put(WANTED, Map.of(COMPLETE, DONE, TAKE_BACK, PENDING));
        changes.put(DONE, Map.of(CONSUME, NONE, CLOSE, CLOSED));
        Map<State, Set<Event>> harmless = new EnumMap<>(State.class);
        harmless.put(NONE, EnumSet.of(TAKE_BACK));
        harmless.put(STARTING, EnumSet.of(TAKE_BACK));
        harmless.put(PENDING, EnumSet.of(TAKE_BACK));
        harmless.put(DONE, EnumSet.of(RETURN, AWAIT, TAKE_BACK));
        harmless.put(CLOSED, EnumSet.allOf(Event.class));
        for (State from : State.values()) {
            for (Event event : Event.values()) {
                State to = changes.getOrDefault(from, Map.of()).get(event);
                if (to != null || harmless.getOrDefault(from, Set.of()).contains(event)) {
                    assertEquals(to, PendingRead.next(from, event), from + ", " + event);
                } else {
                    IllegalStateException error =
                            assertThrows(IllegalStateException.class, () -> PendingRead.next(from, event));
                    assertTrue(String.valueOf(error.getMessage()).contains(from + "; " + event));
                }
            }
        }
    }

    /** One thread owns and waits, one completes, one takes waits back: each wait ends exactly once. */
    @Test
    void tellsOfEachWaitExactlyOnceHoweverCompletionAndTimeOutRace() throws Exception {
        PendingRead read = new PendingRead();
        AtomicInteger told = new AtomicInteger();
        AtomicInteger started = new AtomicInteger();
        AtomicInteger completed = new AtomicInteger();
        int waits = 50_000;
        Thread poller = new Thread(() -> {
            while (told.get() < waits) {
                if (completed.get() < started.get()) {
                    completed.incrementAndGet();
                    if (read.fire(COMPLETE) == WANTED) {
                        told.incrementAndGet();
                    }
                }
            }
        });
        Thread clock = new Thread(() -> {
            while (told.get() < waits) {
                if (read.fire(TAKE_BACK) == WANTED) {
                    told.incrementAndGet();
                }
            }
        });
        poller.start();
        clock.start();
        for (int wait = 1; wait <= waits; wait++) {
            if (read.state() == NONE) {
                read.fire(START);
                started.incrementAndGet();
                read.fire(RETURN);
            }
            if (read.fire(AWAIT) == DONE) {
                told.incrementAndGet();
            }
            int expected = wait;
            for (int spin = 0; spin < 1_000 && told.get() < expected; spin++) {
                Thread.onSpinWait();
            }
            Deadline.await("wait " + expected, () -> told.get() >= expected);
            assertEquals(expected, told.get());
            if (read.state() == DONE) {
                read.fire(CONSUME);
            }
        }
        poller.join();
        clock.join();
        assertTrue(completed.get() <= started.get());
    }
}
