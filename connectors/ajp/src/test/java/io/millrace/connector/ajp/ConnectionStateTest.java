package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.ConnectionState.*;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connector.ajp.ConnectionState.Event;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectionStateTest {

    /** The table above the enum, again; all else must be refused. */
    private static final Map<ConnectionState, Map<Event, ConnectionState>> TABLE = Map.of(
            IDLE, Map.of(Event.READABLE, READING),
            PACKET, Map.of(Event.READABLE, READING),
            SWALLOWING, Map.of(Event.READABLE, READING),
            READING,
                    Map.of(
                            Event.NOTHING, IDLE,
                            Event.PART_OF_PACKET, PACKET,
                            Event.PART_OF_BODY, SWALLOWING,
                            Event.REQUEST, SERVING,
                            Event.LAST, CLOSING),
            SERVING, Map.of(Event.AWAIT_BODY, BODY, Event.END, READING),
            BODY, Map.of(Event.READABLE, SERVING, Event.END, SWALLOWING),
            CLOSING, Map.of(Event.SENT, LINGERING),
            LINGERING, Map.of(Event.READABLE, LINGERING),
            CLOSED, Map.of());

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
