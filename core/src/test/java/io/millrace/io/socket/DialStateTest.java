package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.io.socket.DialState.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A dial … */
final class DialStateTest {

    @Test
    void connectsOnceItHasAddresses() {
        assertEquals(DialState.CONNECTING, DialState.next(DialState.RESOLVING, Event.ADDRESSES));
        assertEquals(DialState.CONNECTED, DialState.next(DialState.CONNECTING, Event.CONNECTED));
    }

    @Test
    void failsAsLongAsItHasNotConnected() {
        assertEquals(DialState.FAILED, DialState.next(DialState.RESOLVING, Event.FAILED));
        assertEquals(DialState.FAILED, DialState.next(DialState.CONNECTING, Event.FAILED));
    }

    @Test
    void cannotHaveConnectedWithoutAnAddress() {
        assertThrows(IllegalStateException.class, () -> DialState.next(DialState.RESOLVING, Event.CONNECTED));
    }

    @ParameterizedTest
    @EnumSource(Event.class)
    void isNotChangedByWhatComesTooLate(Event event) {
        assertEquals(DialState.CONNECTED, DialState.next(DialState.CONNECTED, event));
        assertEquals(DialState.FAILED, DialState.next(DialState.FAILED, event));
    }
}
