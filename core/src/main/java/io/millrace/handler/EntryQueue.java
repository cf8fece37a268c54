package io.millrace.handler;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue for many writers and one reader, without locks. A writer claims a place by moving {@code tail}, then
 * fills it; the reader empties a place, then moves {@code head}, so that a claimed place is always empty. Filling and
 * looking are volatile, for the reader's sleep depends on it: see {@link AccessWriter}.
 */
final class EntryQueue {

    private final AtomicReferenceArray<@Nullable AccessEntry> places;
    private final int mask;
    private final AtomicLong tail = new AtomicLong();
    private final AtomicLong head = new AtomicLong();

    EntryQueue(int atLeast) {
        int size = Math.max(2, Integer.highestOneBit(atLeast - 1) << 1);
        places = new AtomicReferenceArray<>(size);
        mask = size - 1;
    }

    /** False if the queue is full. Any thread. */
    boolean offer(AccessEntry entry) {
        while (true) {
            long at = tail.get();
            if (at - head.get() > mask) {
                return false;
            }
            if (tail.compareAndSet(at, at + 1)) {
                places.set((int) at & mask, entry);
                return true;
            }
        }
    }

    /** The oldest entry; null if there is none, or if its writer has not put it there yet. The reader only. */
    @Nullable
    AccessEntry poll() {
        long at = head.getPlain();
        AccessEntry entry = places.get((int) at & mask);
        if (entry != null) {
            places.setPlain((int) at & mask, null);
            head.setRelease(at + 1);
        }
        return entry;
    }

    /** True when more than half of the places are taken: time to wake the reader. */
    boolean isHalfFull() {
        return tail.getPlain() - head.getPlain() > mask / 2;
    }
}
