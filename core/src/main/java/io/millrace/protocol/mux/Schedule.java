package io.millrace.protocol.mux;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Selects the stream that sends the next frame (RFC 9218, 10). Each urgency has two rings, for sequential and for incremental
 * responses, which alternate frame by frame. The most urgent streams are served first, except for one frame in sixteen, which
 * goes to the lower urgencies in rotation, to prevent starvation. Guarded by its owner's lock.
 */
final class Schedule {

    /** An entry, which contains the links of its ring, so that scheduling allocates nothing. */
    abstract static class Entry {

        Priority priority;
        private @Nullable Entry next;
        private @Nullable Entry previous;

        Entry(Priority priority) {
            this.priority = priority;
        }

        /** Whether it is in a schedule. */
        final boolean isScheduled() {
            return next != null;
        }
    }

    /** One frame in this many is for a lower urgency. */
    private static final int SHARE = 16;

    private static final int RINGS = 2 * Priority.URGENCIES;

    /** The first entry of each ring; its {@code previous} is the last. */
    private final @Nullable Entry[] first = new @Nullable Entry[RINGS];

    /** Bit i: ring i has entries. */
    private int occupied;

    /** Bit i: the next frame of urgency i is for an incremental response. */
    private int turns;

    private int frames;
    private int lastLower;

    /** Whether it has no entries. */
    boolean isEmpty() {
        return occupied == 0;
    }

    /** Whether an entry is at least as urgent as a new one of this priority. */
    boolean hasAnyBefore(Priority priority) {
        return (occupied & (1 << 2 * priority.urgency() + 2) - 1) != 0;
    }

    /** Adds an entry that has a frame to send, at the end of its ring. Does nothing if it is scheduled already. */
    void ready(Entry entry) {
        if (entry.isScheduled()) {
            return;
        }
        int ring = ring(entry.priority);
        Entry head = first[ring];
        if (head == null) {
            entry.next = entry;
            entry.previous = entry;
            first[ring] = entry;
            occupied |= 1 << ring;
        } else {
            Entry tail = Objects.requireNonNull(head.previous);
            entry.next = head;
            entry.previous = tail;
            tail.next = entry;
            head.previous = entry;
        }
    }

    /** The entry that sends next, which stays in its place until {@link #sent} or {@link #remove}; null if there is none. */
    @Nullable
    Entry next() {
        if (occupied == 0) {
            return null;
        }
        int urgency = Integer.numberOfTrailingZeros(occupied) >> 1;
        if (frames == SHARE - 1) {
            urgency = lower(urgency);
        }
        int both = occupied >> 2 * urgency & 3;
        int kind = both == 3 ? turns >> urgency & 1 : both >> 1;
        return first[2 * urgency + kind];
    }

    /** The next of the lower urgencies in rotation; the given, highest one if there is no other. */
    private int lower(int highest) {
        for (int i = 1; i <= Priority.URGENCIES; i++) {
            int candidate = (lastLower + i) % Priority.URGENCIES;
            if (candidate > highest && (occupied >> 2 * candidate & 3) != 0) {
                return candidate;
            }
        }
        return highest;
    }

    /** The entry of {@link #next} has sent a frame and has more: an incremental one moves to the end of its ring. */
    @SuppressWarnings("ReferenceEquality") // entries are compared by identity
    void sent(Entry entry) {
        count(entry);
        int ring = ring(entry.priority);
        if (entry.priority.isIncremental() && first[ring] == entry) { // the first entry becomes the last
            first[ring] = entry.next;
        }
    }

    /** The entry of {@link #next} has sent its last frame, or its window is closed: removes it. */
    void sentLast(Entry entry) {
        count(entry);
        remove(entry);
    }

    private void count(Entry entry) {
        int urgency = entry.priority.urgency();
        if (frames == SHARE - 1) {
            lastLower = urgency;
        }
        frames = (frames + 1) % SHARE;
        int kind = entry.priority.isIncremental() ? 1 : 0;
        turns = turns & ~(1 << urgency) | (1 - kind) << urgency;
    }

    /** Removes an entry. Does nothing if it is not scheduled. */
    @SuppressWarnings("ReferenceEquality") // entries are compared by identity
    void remove(Entry entry) {
        Entry after = entry.next;
        Entry before = entry.previous;
        if (after == null || before == null) {
            return;
        }
        int ring = ring(entry.priority);
        if (after == entry) {
            first[ring] = null;
            occupied &= ~(1 << ring);
        } else {
            before.next = after;
            after.previous = before;
            if (first[ring] == entry) {
                first[ring] = after;
            }
        }
        entry.next = null;
        entry.previous = null;
    }

    /** Changes the priority of an entry, scheduled or not. */
    void move(Entry entry, Priority priority) {
        boolean waits = entry.isScheduled();
        remove(entry);
        entry.priority = priority;
        if (waits) {
            ready(entry);
        }
    }

    private static int ring(Priority priority) {
        return 2 * priority.urgency() + (priority.isIncremental() ? 1 : 0);
    }
}
