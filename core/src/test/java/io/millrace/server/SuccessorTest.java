package io.millrace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Asked;
import io.millrace.handler.MemoryStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

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
}
