package io.millrace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.Suspension;
import io.millrace.forwarded.RemoteIp;
import io.millrace.handler.Asked;
import io.millrace.handler.ConcurrencyLimit;
import io.millrace.handler.MemoryStream;
import io.millrace.io.Timers;
import io.millrace.net.AddressSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The place of an application that is being replaced … */
final class PendingReplacementTest {

    private static final NonBlockingHandler NEXT =
            exchange -> exchange.response().status(201);

    @Test
    void keepsRequestsForTheNextOne() {
        PendingReplacement pending = new PendingReplacement();
        MemoryStream waiting = Asked.get("/").of(pending);
        assertFalse(waiting.isEnded());
        pending.complete(NEXT);
        assertTrue(waiting.isEnded());
        assertEquals(201, waiting.status());
        assertEquals(201, Asked.get("/").of(pending).status());
    }

    @Test
    void keepsNoMoreThanItMay() {
        PendingReplacement pending = new PendingReplacement(Duration.ofSeconds(30), 1);
        assertFalse(Asked.get("/").of(pending).isEnded());
        MemoryStream refused = Asked.get("/").of(pending);
        assertEquals(503, refused.status());
        assertEquals("5", refused.header("Retry-After"));
    }

    @Test
    void leavesPlacesToOtherClients() {
        PendingReplacement pending = new PendingReplacement(Duration.ofSeconds(30), 8);
        HttpHandler behind = RemoteIp.trusting(AddressSet.parse("192.0.2.7")).wrap(pending);
        List<MemoryStream> waiting = new ArrayList<>();
        waiting.addAll(admitted(behind, "198.51.100.1", 4)); // half of eight
        waiting.addAll(admitted(behind, "198.51.100.2", 2)); // half of the four left
        waiting.addAll(admitted(behind, "2001:db8::1", 1));
        assertEquals(503, asked(behind, "2001:db8::2").status(), "of the same network");
        waiting.addAll(admitted(behind, "2001:db8:0:1::1", 1));
        assertEquals(503, asked(behind, "198.51.100.3").status(), "all places are taken");
        pending.complete(NEXT);
        for (MemoryStream each : waiting) {
            assertEquals(201, each.status());
        }
    }

    /** Those that wait, of requests from an address of which one more is refused. */
    private static List<MemoryStream> admitted(HttpHandler handler, String client, int most) {
        List<MemoryStream> all = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            MemoryStream waiting = asked(handler, client);
            assertFalse(waiting.isEnded());
            all.add(waiting);
        }
        assertEquals(503, asked(handler, client).status(), client);
        return all;
    }

    private static MemoryStream asked(HttpHandler handler, String client) {
        return Asked.get("/").header("X-Forwarded-For", client).of(handler);
    }

    @Test
    void holdsNoPermitForThoseThatWait() {
        ConcurrencyLimit host = ConcurrencyLimit.waiting(1);
        ConcurrencyLimit engine = ConcurrencyLimit.waiting(1);
        HttpHandler other = engine.wrap(host.wrap(NEXT));
        PendingReplacement pending = new PendingReplacement();
        HttpHandler replaced = engine.wrap(host.wrap(pending));
        List<MemoryStream> waiting =
                List.of(Asked.get("/").of(replaced), Asked.get("/").of(replaced));
        assertEquals(201, Asked.get("/").of(other).status());
        List<Suspension> running = new ArrayList<>();
        pending.complete((NonBlockingHandler) exchange -> running.add(exchange.suspend(Duration.ZERO, late -> {})));
        assertEquals(1, running.size(), "the limits count again");
        assertFalse(Asked.get("/").of(other).isEnded());
        running.get(0).complete();
        assertEquals(2, running.size());
        running.get(1).complete();
        assertTrue(waiting.get(1).isEnded());
        assertEquals(201, Asked.get("/").of(other).status());
    }

    @Test
    void refusesThoseThatWaitWhenItGivesUp() {
        PendingReplacement pending = new PendingReplacement();
        MemoryStream waiting = Asked.get("/").of(pending);
        pending.giveUp();
        assertEquals(503, waiting.status());
        assertEquals("5", waiting.header("Retry-After"));
        assertEquals(503, Asked.get("/").of(pending).status());
        pending.complete(NEXT);
        pending.giveUp();
        assertEquals(201, Asked.get("/").of(pending).status());
    }

    @Test
    @Timeout(60)
    void keepsNoneForLongerThanItMay() {
        PendingReplacement pending = new PendingReplacement(Duration.ofMillis(1), 1);
        try (Timers timers = new Timers("test")) {
            for (int i = 0; i < 2; i++) { // the first one leaves its place to the second
                MemoryStream late = Asked.get("/").of(pending, timers);
                while (!late.isEnded()) {
                    Thread.onSpinWait();
                }
                assertEquals(503, late.status());
                assertEquals("5", late.header("Retry-After"));
            }
        }
    }
}
