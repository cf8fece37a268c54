package io.millrace.servlet.session;

import static io.millrace.servlet.session.SessionState.ALIVE;
import static io.millrace.servlet.session.SessionState.ENDED;
import static io.millrace.servlet.session.SessionState.ENDING;
import static io.millrace.servlet.session.SessionState.PARKED;
import static io.millrace.servlet.session.SessionState.PARKING;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.servlet.session.SessionState.Event;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SessionStateTest {

    /** Its table, as its comment has it. */
    private static final Map<SessionState, Map<Event, SessionState>> TABLE = Map.of(
            ALIVE, Map.of(Event.ENTER, ALIVE, Event.PARK, PARKING, Event.END, ENDING),
            PARKING, Map.of(Event.ENTER, ALIVE, Event.END, ENDING, Event.PARKED, PARKED),
            ENDING, Map.of(Event.ENDED, ENDED));

    @Test
    void followsItsTable() {
        for (SessionState from : SessionState.values()) {
            for (Event event : Event.values()) {
                assertEquals(
                        TABLE.getOrDefault(from, Map.of()).get(event),
                        SessionState.next(from, event),
                        from + " " + event);
            }
        }
    }
}
