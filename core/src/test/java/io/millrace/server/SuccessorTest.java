package io.millrace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Asked;
import io.millrace.handler.MemoryStream;
import io.millrace.io.Timers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The place of an application that is being replaced … */
final class SuccessorTest {

    private static final NonBlockingHandler NEXT =
            exchange -> exchange.response().status(201);

    @Test
    void keepsRequestsForTheNextOne() {
        Successor successor = new Successor();
        MemoryStream waiting = Asked.get("/").of(successor);
        assertFalse(waiting.isEnded());
        successor.is(NEXT);
        assertTrue(waiting.isEnded());
        assertEquals(201, waiting.status());
        assertEquals(201, Asked.get("/").of(successor).status());
    }

    @Test
    void keepsNoMoreThanItMay() {
        Successor successor = new Successor(Duration.ofSeconds(30), 1);
        assertFalse(Asked.get("/").of(successor).isEnded());
        MemoryStream refused = Asked.get("/").of(successor);
        assertEquals(503, refused.status());
        assertEquals("5", refused.header("Retry-After"));
    }

    @Test
    @Timeout(60)
    void keepsNoneForLongerThanItMay() {
        Successor successor = new Successor(Duration.ofMillis(1), 1);
        try (Timers timers = new Timers("test")) {
            for (int i = 0; i < 2; i++) { // the first one leaves its place to the second
                MemoryStream late = Asked.get("/").of(successor, timers);
                while (!late.isEnded()) {
                    Thread.onSpinWait();
                }
                assertEquals(503, late.status());
                assertEquals("5", late.header("Retry-After"));
            }
        }
    }
}
