package io.millrace.proxyprotocol;

import static io.millrace.proxyprotocol.HeaderState.*;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.proxyprotocol.HeaderState.Event;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeaderStateTest {

    /** The table above the enum; all other events must be rejected. */
    private static final Map<HeaderState, Map<Event, HeaderState>> TABLE = Map.of(
            START, Map.of(Event.VERSION_1, LINE, Event.VERSION_2, FIXED, Event.SOMETHING_ELSE, ABSENT),
            LINE, Map.of(Event.WHOLE, COMPLETE, Event.BAD, REFUSED),
            FIXED, Map.of(Event.LENGTH, BLOCK, Event.WHOLE, COMPLETE, Event.BAD, REFUSED),
            BLOCK, Map.of(Event.WHOLE, COMPLETE, Event.BAD, REFUSED));

    @Test
    void makesTheTransitionsOfItsTableAndNoOthers() {
        for (HeaderState from : HeaderState.values()) {
            for (Event event : Event.values()) {
                HeaderState expected = TABLE.getOrDefault(from, Map.of()).get(event);
                assertEquals(expected, HeaderState.next(from, event), from + " " + event);
            }
        }
    }

    @Test
    void isOpenWhereverAnEventMayHappen() {
        for (HeaderState state : HeaderState.values()) {
            assertEquals(TABLE.containsKey(state), state.isOpen(), state.name());
        }
    }
}
