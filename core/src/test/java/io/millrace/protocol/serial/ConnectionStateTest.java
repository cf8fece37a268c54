package io.millrace.protocol.serial;

import static io.millrace.protocol.serial.ConnectionState.*;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.protocol.serial.ConnectionState.Event;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectionStateTest {

    /** The table in the Javadoc of the enum; all other events must be rejected. */
    private static final Map<ConnectionState, Map<Event, ConnectionState>> TABLE = Map.ofEntries(
            entry(IDLE, Map.of(Event.READABLE, READING)),
            entry(HEAD, Map.of(Event.READABLE, READING)),
            entry(SWALLOWING, Map.of(Event.READABLE, READING)),
            entry(
                    READING,
                    Map.of(
                            Event.NOTHING, IDLE,
                            Event.PART_OF_HEAD, HEAD,
                            Event.PART_OF_BODY, SWALLOWING,
                            Event.REQUEST, SERVING,
                            Event.LAST, CLOSING)),
            entry(SERVING, Map.of(Event.AWAIT_BODY, BODY, Event.END, READING, Event.SWITCH, SWITCHING)),
            entry(BODY, Map.of(Event.READABLE, SERVING, Event.END, SWALLOWING)),
            entry(CLOSING, Map.of(Event.SENT, LINGERING)),
            entry(LINGERING, Map.of(Event.READABLE, LINGERING)),
            entry(SWITCHING, Map.of(Event.READABLE, SWITCHED)),
            entry(SWITCHED, Map.of(Event.CLOSE, SWITCHED)));

    @Test
    void makesTheTransitionsOfItsTableAndNoOthers() {
        for (ConnectionState from : ConnectionState.values()) {
            for (Event event : Event.values()) {
                ConnectionState otherwise = from == CLOSED || event == Event.CLOSE ? CLOSED : null;
                ConnectionState expected = TABLE.getOrDefault(from, Map.of()).getOrDefault(event, otherwise);
                assertEquals(expected, ConnectionState.next(from, event), from + " " + event);
            }
        }
    }
}
