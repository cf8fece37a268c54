package io.millrace.connector.nio2;

import static io.millrace.connector.nio2.WriteHandoff.Event.COMPLETE;
import static io.millrace.connector.nio2.WriteHandoff.Event.RETURN;
import static io.millrace.connector.nio2.WriteHandoff.Event.START;
import static io.millrace.connector.nio2.WriteHandoff.State.DONE;
import static io.millrace.connector.nio2.WriteHandoff.State.NONE;
import static io.millrace.connector.nio2.WriteHandoff.State.PENDING;
import static io.millrace.connector.nio2.WriteHandoff.State.STARTING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connector.nio2.WriteHandoff.Event;
import io.millrace.connector.nio2.WriteHandoff.State;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WriteHandoffTest {

    @Test
    void hasATransitionForEveryStateAndEventThatItsTableNames() {
        Map<State, Map<Event, State>> table = new EnumMap<>(State.class);
        table.put(NONE, Map.of(START, STARTING));
        table.put(STARTING, Map.of(COMPLETE, DONE, RETURN, PENDING));
        table.put(DONE, Map.of(RETURN, NONE));
        table.put(PENDING, Map.of(COMPLETE, NONE));
        for (State from : State.values()) {
            for (Event event : Event.values()) {
                State to = table.getOrDefault(from, Map.of()).get(event);
                if (to != null) {
                    assertEquals(to, WriteHandoff.next(from, event));
                } else {
                    IllegalStateException error =
                            assertThrows(IllegalStateException.class, () -> WriteHandoff.next(from, event));
                    assertTrue(String.valueOf(error.getMessage()).contains(from + "; " + event));
                }
            }
        }
    }

    @Test
    void letsTheStarterGoOnAfterAWriteThatEndedAtOnce() {
        WriteHandoff write = new WriteHandoff();
        assertFalse(write.fire(START));
        assertFalse(write.fire(COMPLETE));
        assertTrue(write.fire(RETURN));
    }

    @Test
    void letsWhoeverCompletesGoOnAfterAWriteThatHadToWait() {
        WriteHandoff write = new WriteHandoff();
        assertFalse(write.fire(START));
        assertFalse(write.fire(RETURN));
        assertTrue(write.isPending());
        assertTrue(write.fire(COMPLETE));
        assertFalse(write.isPending());
    }
}
