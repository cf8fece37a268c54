package io.millrace.connector.bio;

import static io.millrace.connector.bio.ThreadOwnership.Event.AWAIT;
import static io.millrace.connector.bio.ThreadOwnership.Event.FOUND;
import static io.millrace.connector.bio.ThreadOwnership.Event.RETURN;
import static io.millrace.connector.bio.ThreadOwnership.Event.TAKE;
import static io.millrace.connector.bio.ThreadOwnership.State.AWAY;
import static io.millrace.connector.bio.ThreadOwnership.State.RUNNING;
import static io.millrace.connector.bio.ThreadOwnership.State.WAITING;
import static io.millrace.connector.bio.ThreadOwnership.State.WANTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.connector.bio.ThreadOwnership.Event;
import io.millrace.connector.bio.ThreadOwnership.State;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ThreadOwnershipTest {

    @Test
    void hasTheTransitionsOfItsTableAndNoOthers() {
        Map<State, Map<Event, State>> table = new EnumMap<>(State.class);
        table.put(RUNNING, Map.of(AWAIT, WANTED, RETURN, AWAY));
        table.put(AWAY, Map.of(AWAIT, WAITING));
        table.put(WANTED, Map.of(FOUND, RUNNING, RETURN, WAITING));
        table.put(WAITING, Map.of(TAKE, RUNNING));
        for (State from : State.values()) {
            for (Event event : Event.values()) {
                State to = table.getOrDefault(from, Map.of()).get(event);
                if (to != null) {
                    assertEquals(to, ThreadOwnership.next(from, event), from + ", " + event);
                } else if (event == TAKE) {
                    assertNull(ThreadOwnership.next(from, event), from + ", " + event);
                } else {
                    assertThrows(
                            IllegalStateException.class, () -> ThreadOwnership.next(from, event), from + ", " + event);
                }
            }
        }
    }
}
