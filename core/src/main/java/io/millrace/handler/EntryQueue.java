package io.millrace.handler;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A lock-free bounded queue for many producers and one consumer. A producer claims a slot by advancing {@code tail}, then
 * fills it; the consumer empties a slot, then advances {@code head}, so that a claimed slot is always empty. Slots are filled
 * and polled with volatile access, on which {@code AccessWriter.sleep} depends.
 */
final class EntryQueue {

    private final AtomicReferenceArray<@Nullable AccessEntry> slots;
    private final int mask;
    private final AtomicLong tail = new AtomicLong();
    private final AtomicLong head = new AtomicLong();

    EntryQueue(int atLeast) {
        int size = Math.max(2, Integer.highestOneBit(atLeast - 1) << 1);
        slots = new AtomicReferenceArray<>(size);
        mask = size - 1;
    }

    /** False if the queue is full. Thread-safe. */
    boolean offer(AccessEntry entry) {
        while (true) {
            long at = tail.get();
            if (at - head.get() > mask) {
                return false;
            }
            if (tail.compareAndSet(at, at + 1)) {
                slots.set((int) at & mask, entry);
                return true;
            }
        }
    }

    /** The oldest entry; null if there is none, or if its producer has not filled the slot yet. Called by the consumer only. */
    @Nullable
    AccessEntry poll() {
        long at = head.getPlain();
        AccessEntry entry = slots.get((int) at & mask);
        if (entry != null) {
            slots.setPlain((int) at & mask, null);
            head.setRelease(at + 1);
        }
        return entry;
    }

    /** Whether more than half of the slots are in use: the consumer is then woken. */
    boolean isHalfFull() {
        return tail.getPlain() - head.getPlain() > mask / 2;
    }
}
