package io.millrace.tls.layer;

import static io.millrace.tls.layer.TlsWriter.WriterState.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.tls.layer.TlsWriter.WriterState.Event;
import org.junit.jupiter.api.Test;

class WriterStateTest {

    @Test
    void worksForOneSubmitterAndLooksAgainForTheOthers() {
        assertEquals(BUSY, next(IDLE, Event.SUBMIT));
        assertEquals(AGAIN, next(BUSY, Event.SUBMIT));
        assertEquals(AGAIN, next(AGAIN, Event.SUBMIT));
        assertEquals(IDLE, next(BUSY, Event.REST));
        assertEquals(BUSY, next(AGAIN, Event.REST));
    }

    @Test
    void endsForGood() {
        assertEquals(ENDED, next(BUSY, Event.END));
        assertEquals(ENDED, next(AGAIN, Event.END));
        for (Event event : Event.values()) {
            assertEquals(ENDED, next(ENDED, event));
        }
    }

    @Test
    void letsNobodyRestOrEndWhoDoesNotWork() {
        assertThrows(IllegalStateException.class, () -> next(IDLE, Event.REST));
        assertThrows(IllegalStateException.class, () -> next(IDLE, Event.END));
    }
}
