package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.Suspension;
import io.millrace.workers.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A limit of requests, when something fails … */
class ConcurrencyLimitFailureTest {

    private final List<Suspension> held = new ArrayList<>();

    private HttpHandler held(ConcurrencyLimit limit) {
        NonBlockingHandler holding = exchange -> held.add(exchange.suspend(Duration.ZERO, late -> {}));
        return limit.wrap(holding);
    }

    @Test
    void keepsNoPlaceInItsQueueForARequestThatCannotWait() {
        ConcurrencyLimit limit = ConcurrencyLimit.queueing(1, 1, Duration.ofMinutes(1));
        HttpHandler limited = limit.wrap(exchange -> Responses.text(exchange, 200, "done"));
        Asked.get("/").of(held(limit));
        NonBlockingHandler twice = exchange -> {
            Suspension own = exchange.suspend(Duration.ZERO, late -> {});
            assertThrows(IllegalStateException.class, () -> limited.handle(exchange));
            own.complete();
        };
        Asked.get("/").of(twice);
        MemoryStream patient = Asked.get("/").of(limited);
        assertFalse(patient.isEnded());
        held.get(0).complete();
        assertEquals(200, patient.status());
    }

    @Test
    void letsTheNextRequestInIfOneCannotBeResumed() {
        ConcurrencyLimit limit = ConcurrencyLimit.waiting(1);
        HttpHandler limited = limit.wrap(exchange -> Responses.text(exchange, 200, "done"));
        Asked.get("/").of(held(limit));
        Workers broken = new Workers() {
            @Override
            public boolean isWorker() {
                return false;
            }

            @Override
            public void execute(Runnable task) {
                throw new NoClassDefFoundError("for the test");
            }
        };
        Asked.get("/").on(broken).of(limited);
        MemoryStream patient = Asked.get("/").of(limited);
        assertFalse(patient.isEnded());
        try {
            held.get(0).complete();
        } catch (Error reported) {
            assertTrue(reported instanceof AssertionError || reported instanceof NoClassDefFoundError);
        }
        assertEquals(200, patient.status());
    }
}
