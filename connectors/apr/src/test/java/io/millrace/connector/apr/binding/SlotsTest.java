package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The slots of a pollset … */
final class SlotsTest {

    private final Slots slots = new Slots(Arena.ofAuto());
    private final SocketPool pool;

    SlotsTest() throws IOException {
        Apr.require();
        pool = new SocketPool(1);
    }

    @AfterEach
    void free() {
        pool.retire();
    }

    @Test
    void knowWhoseTheyAre() {
        AprSocket socket = socket();
        assertSame(socket, slots.find(name(slots.acquire(socket))));
    }

    @Test
    void dropWhatWasReportedOfTheUserBefore() {
        int slot = slots.acquire(socket());
        long before = name(slot);
        slots.release(slot);
        assertNull(slots.find(before));
        AprSocket next = socket();
        assertEquals(slot, slots.acquire(next), "the same memory");
        assertNull(slots.find(before));
        assertSame(next, slots.find(name(slot)));
    }

    @Test
    void growWithoutMoving() {
        int first = slots.acquire(socket());
        long address = slots.memory(first).address();
        Set<Long> addresses = new HashSet<>(Set.of(address));
        for (int i = 0; i < 1_000; i++) {
            addresses.add(slots.memory(slots.acquire(socket())).address());
        }
        assertEquals(1_001, addresses.size());
        assertEquals(address, slots.memory(first).address());
    }

    @Test
    void tellWhetherAnyIsTaken() {
        assertTrue(slots.areAllFree());
        int slot = slots.acquire(socket());
        assertFalse(slots.areAllFree());
        slots.release(slot);
        assertTrue(slots.areAllFree());
    }

    private long name(int slot) {
        return slots.memory(slot).get(JAVA_LONG, Layouts.POLLFD_CLIENT_DATA);
    }

    private AprSocket socket() {
        return AprSocket.of(pool, 0);
    }
}
