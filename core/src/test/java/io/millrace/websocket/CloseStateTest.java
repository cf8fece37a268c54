package io.millrace.websocket;

import static io.millrace.websocket.CloseState.ANSWERING;
import static io.millrace.websocket.CloseState.CLOSED;
import static io.millrace.websocket.CloseState.CLOSE_QUEUED;
import static io.millrace.websocket.CloseState.CLOSE_SENT;
import static io.millrace.websocket.CloseState.OPEN;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.websocket.CloseState.Event;
import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** Of every state and event it … */
class CloseStateTest {

    @Test
    void knowsTheNextState() {
        check(OPEN, CLOSE_QUEUED, OPEN, ANSWERING);
        check(CLOSE_QUEUED, CLOSE_QUEUED, CLOSE_SENT, ANSWERING);
        check(CLOSE_SENT, CLOSE_SENT, CLOSE_SENT, CLOSED);
        check(ANSWERING, ANSWERING, CLOSED, ANSWERING);
        check(CLOSED, CLOSED, CLOSED, CLOSED);
        assertEquals(5, CloseState.values().length);
        assertEquals(4, Event.values().length);
    }

    private static void check(CloseState from, CloseState send, CloseState written, CloseState receive) {
        assertEquals(send, CloseState.next(from, Event.SEND));
        assertEquals(written, CloseState.next(from, Event.WRITTEN));
        assertEquals(receive, CloseState.next(from, Event.RECEIVE));
        assertEquals(CLOSED, CloseState.next(from, Event.END));
    }

    @Test
    void knowsWhetherSomethingIsRead() {
        EnumSet<CloseState> reading = EnumSet.noneOf(CloseState.class);
        Arrays.stream(CloseState.values()).filter(CloseState::isReading).forEach(reading::add);
        assertEquals(EnumSet.of(OPEN, CLOSE_QUEUED, CLOSE_SENT), reading);
    }
}
