package io.millrace.websocket;

import static io.millrace.websocket.CloseState.CLOSED;
import static io.millrace.websocket.CloseState.CLOSE_RECEIVED;
import static io.millrace.websocket.CloseState.CLOSE_SENT;
import static io.millrace.websocket.CloseState.OPEN;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.websocket.CloseState.Event;
import org.junit.jupiter.api.Test;

/** Of every state and event it … */
class CloseStateTest {

    @Test
    void knowsTheNextState() {
        check(OPEN, CLOSE_SENT, CLOSE_RECEIVED, CLOSED);
        check(CLOSE_SENT, CLOSE_SENT, CLOSED, CLOSED);
        check(CLOSE_RECEIVED, CLOSED, CLOSE_RECEIVED, CLOSED);
        check(CLOSED, CLOSED, CLOSED, CLOSED);
        assertEquals(4, CloseState.values().length);
        assertEquals(3, Event.values().length);
    }

    private static void check(CloseState from, CloseState afterSend, CloseState afterReceive, CloseState afterEnd) {
        assertEquals(afterSend, CloseState.next(from, Event.SEND));
        assertEquals(afterReceive, CloseState.next(from, Event.RECEIVE));
        assertEquals(afterEnd, CloseState.next(from, Event.END));
    }
}
