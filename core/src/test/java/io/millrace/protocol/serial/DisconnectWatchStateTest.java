package io.millrace.protocol.serial;

import static io.millrace.protocol.serial.DisconnectWatchState.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.protocol.serial.DisconnectWatchState.Event;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DisconnectWatchStateTest {

    /** The table in the Javadoc of the enum. */
    private static final Map<DisconnectWatchState, Map<Event, DisconnectWatchState>> TABLE = Map.of(
            OFF, Map.of(Event.READ, READING, Event.WATCH, WATCHING, Event.AWAIT, AWAITED, Event.CALL, OFF),
            READING, Map.of(Event.DONE, OFF, Event.CALL, READING),
            WATCHING, Map.of(Event.CALL, PREFETCHING, Event.AWAIT, AWAITED),
            PREFETCHING, Map.of(Event.AGAIN, WATCHING, Event.ENOUGH, FOUND, Event.AWAIT, EXPECTED),
            EXPECTED, Map.of(Event.AGAIN, OFF, Event.ENOUGH, OFF),
            AWAITED, Map.of(Event.CALL, OFF, Event.CANCEL, WATCHING),
            FOUND, Map.of(Event.READ, READING, Event.AWAIT, OFF));

    /** The events that are ignored if they are not in the table; all others are illegal. */
    private static final Set<Event> REFUSED = EnumSet.of(Event.READ, Event.WATCH, Event.CANCEL);

    @Test
    void makesTheTransitionsOfItsTableAndNoOthers() {
        for (DisconnectWatchState from : DisconnectWatchState.values()) {
            for (Event event : Event.values()) {
                DisconnectWatchState to = TABLE.getOrDefault(from, Map.of()).get(event);
                if (to != null || REFUSED.contains(event)) {
                    assertEquals(to, DisconnectWatchState.next(from, event), from + ", " + event);
                } else {
                    assertThrows(
                            IllegalStateException.class,
                            () -> DisconnectWatchState.next(from, event),
                            from + ", " + event);
                }
            }
        }
    }
}
