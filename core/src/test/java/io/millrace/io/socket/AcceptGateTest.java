package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class AcceptGateTest {

    private final AtomicInteger wakeUps = new AtomicInteger();
    private final AtomicLong now = new AtomicLong();

    @Test
    void shutsAtItsLimitAndWakesTheAcceptorBelowIt() {
        AcceptGate gate = gate(2);
        assertTrue(gate.isOpen());
        gate.enter();
        assertTrue(gate.isOpen());
        gate.enter();
        assertFalse(gate.isOpen());
        assertEquals(2, gate.open());
        assertFalse(gate.leave());
        assertEquals(1, wakeUps.get());
        assertTrue(gate.isOpen());
        assertTrue(gate.leave(), "the last one");
        assertEquals(1, wakeUps.get(), "no acceptor waits for that one");
    }

    @Test
    void isShutWhilePaused() {
        AcceptGate gate = gate(-1);
        gate.pause();
        assertFalse(gate.isOpen());
        gate.resume();
        assertTrue(gate.isOpen());
        assertEquals(2, wakeUps.get());
    }

    @Test
    void restsAfterAFailureThenTriesAgain() {
        AcceptGate gate = gate(-1);
        gate.failed(new IOException("planted by the test"));
        assertFalse(gate.isOpen());
        assertTrue(gate.retryDelayMillis() > 0);
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(gate.retryDelayMillis()));
        assertTrue(gate.isOpen());
        gate.enter();
        assertEquals(0, gate.retryDelayMillis(), "nothing to be done until something happens");
    }

    @Test
    void triesAgainAtOnceWhenAConnectionClosesAfterAFailure() {
        AcceptGate gate = gate(-1);
        gate.enter();
        gate.failed(new IOException("planted by the test"));
        gate.leave();
        assertEquals(1, wakeUps.get());
        assertTrue(gate.isOpen());
    }

    private AcceptGate gate(int limit) {
        return new AcceptGate("test", limit, wakeUps::incrementAndGet, now::get);
    }
}
