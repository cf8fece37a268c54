package io.millrace.tls.layer;

import static io.millrace.tls.layer.HandshakeState.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.tls.layer.HandshakeState.Event;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HandshakeStateTest {

    /** The table above the enum; all other events must be rejected. */
    private static final Map<HandshakeState, Map<Event, HandshakeState>> TABLE = Map.of(
            WAITING, Map.of(Event.READABLE, RUNNING),
            RUNNING, Map.of(Event.NOTHING, WAITING, Event.TASK, COMPUTING, Event.DONE, DONE, Event.REFUSE, REFUSED),
            COMPUTING, Map.of(Event.RESUME, RUNNING),
            DONE, Map.of(Event.CLOSE, DONE),
            REFUSED, Map.of(Event.CLOSE, REFUSED));

    @Test
    void makesTheTransitionsOfItsTableAndNoOthers() {
        for (HandshakeState from : HandshakeState.values()) {
            for (Event event : Event.values()) {
                HandshakeState otherwise = from == CLOSED || event == Event.CLOSE ? CLOSED : null;
                HandshakeState expected = TABLE.getOrDefault(from, Map.of()).getOrDefault(event, otherwise);
                if (expected == null) {
                    assertThrows(IllegalStateException.class, () -> HandshakeState.next(from, event));
                } else {
                    assertEquals(expected, HandshakeState.next(from, event), from + " " + event);
                }
            }
        }
    }
}
