package io.millrace.protocol.serial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DispatchCallTest {

    @Test
    void letsTheLoopGoOnIfTheExchangeEndsWithinTheCall() {
        DispatchCall call = new DispatchCall();
        assertFalse(call.ended());
        assertTrue(call.returned());
    }

    @Test
    void letsWhoeverEndsItLaterGoOn() {
        DispatchCall call = new DispatchCall();
        assertFalse(call.returned());
        assertTrue(call.ended());
    }

    @Test
    void letsAnotherThreadGoOnThatEndsItBeforeTheCallReturned() throws Exception {
        DispatchCall call = new DispatchCall();
        assertTrue(CompletableFuture.supplyAsync(call::ended).get());
        assertFalse(call.returned());
    }

    @Test
    void refusesASecondEnd() {
        DispatchCall call = new DispatchCall();
        call.ended();
        assertThrows(IllegalStateException.class, call::ended);
    }

    @Test
    void letsExactlyOneGoOnHoweverTheyRace() throws Exception {
        for (int i = 0; i < 2_000; i++) {
            DispatchCall call = new DispatchCall();
            CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(call::ended);
            boolean mine = call.returned();
            int going = (mine ? 1 : 0) + (other.get() ? 1 : 0);
            assertEquals(1, going);
        }
    }
}
