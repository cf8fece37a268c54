package io.millrace.websocket;

import static io.millrace.websocket.ClosingHandshake.State.ANSWERING;
import static io.millrace.websocket.ClosingHandshake.State.CLOSED;
import static io.millrace.websocket.ClosingHandshake.State.CLOSE_QUEUED;
import static io.millrace.websocket.ClosingHandshake.State.CLOSE_SENT;
import static io.millrace.websocket.ClosingHandshake.State.OPEN;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.websocket.ClosingHandshake.State.Event;
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
        assertEquals(5, ClosingHandshake.State.values().length);
        assertEquals(4, Event.values().length);
    }

    private static void check(
            ClosingHandshake.State from,
            ClosingHandshake.State send,
            ClosingHandshake.State written,
            ClosingHandshake.State receive) {
        assertEquals(send, ClosingHandshake.State.next(from, Event.SEND));
        assertEquals(written, ClosingHandshake.State.next(from, Event.WRITTEN));
        assertEquals(receive, ClosingHandshake.State.next(from, Event.RECEIVE));
        assertEquals(CLOSED, ClosingHandshake.State.next(from, Event.END));
    }

    @Test
    void knowsWhetherSomethingIsRead() {
        EnumSet<ClosingHandshake.State> reading = EnumSet.noneOf(ClosingHandshake.State.class);
        Arrays.stream(ClosingHandshake.State.values())
                .filter(ClosingHandshake.State::isReading)
                .forEach(reading::add);
        assertEquals(EnumSet.of(OPEN, CLOSE_QUEUED, CLOSE_SENT), reading);
    }
}
