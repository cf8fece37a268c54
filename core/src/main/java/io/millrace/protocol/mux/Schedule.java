package io.millrace.protocol.mux;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which stream sends the next frame (RFC 9218, 10). Each urgency has two rings: streams whose responses follow one another,
 * and those that take turns; a frame of the one is followed by one of the other. The most urgent come first, but one frame in
 * sixteen is for one of those behind them, each urgency in turn: nobody starves. Guarded by its owner's lock.
 */
final class Schedule {

    /** One frame in so many is not for the most urgent. */
    private static final int SHARE = 16;

    private static final int RINGS = 2 * Priority.URGENCIES;

    /** The first of each ring; its {@code previous} is the last. */
    private final @Nullable Scheduled[] first = new @Nullable Scheduled[RINGS];

    /** Bit i: ring i has members. */
    private int occupied;

    /** Bit i: the next frame of urgency i is for those that take turns. */
    private int turns;

    private int frames;
    private int lastSpared;

    /** Waits for nobody? */
    boolean isEmpty() {
        return occupied == 0;
    }

    /** Is there one that goes before a newcomer of this priority, or with it? */
    boolean hasAnyBefore(Priority priority) {
        return (occupied & (1 << 2 * priority.urgency() + 2) - 1) != 0;
    }

    /** It has a frame to send: it waits behind those of its kind. Nothing if it waits already. */
    void ready(Scheduled entry) {
        if (entry.isScheduled()) {
            return;
        }
        int ring = ring(entry.priority);
        Scheduled head = first[ring];
        if (head == null) {
            entry.next = entry;
            entry.previous = entry;
            first[ring] = entry;
            occupied |= 1 << ring;
        } else {
            Scheduled tail = Objects.requireNonNull(head.previous);
            entry.next = head;
            entry.previous = tail;
            tail.next = entry;
            head.previous = entry;
        }
    }

    /** Whose frame is next; it stays in its place until {@link #sent} or {@link #remove}. Null if nobody waits. */
    @Nullable
    Scheduled next() {
        if (occupied == 0) {
            return null;
        }
        int urgency = Integer.numberOfTrailingZeros(occupied) >> 1;
        if (frames == SHARE - 1) {
            urgency = spared(urgency);
        }
        int both = occupied >> 2 * urgency & 3;
        int kind = both == 3 ? turns >> urgency & 1 : both >> 1;
        return first[2 * urgency + kind];
    }

    /** The urgency behind the most urgent whose turn it is; the most urgent if there is no other. */
    private int spared(int most) {
        for (int i = 1; i <= Priority.URGENCIES; i++) {
            int candidate = (lastSpared + i) % Priority.URGENCIES;
            if (candidate > most && (occupied >> 2 * candidate & 3) != 0) {
                return candidate;
            }
        }
        return most;
    }

    /** The frame of {@link #next} was sent, and it has more: one that takes turns goes behind its ring's others. */
    @SuppressWarnings("ReferenceEquality") // this very entry
    void sent(Scheduled entry) {
        count(entry);
        int ring = ring(entry.priority);
        if (entry.priority.isIncremental() && first[ring] == entry) { // a ring is turned by its first
            first[ring] = entry.next;
        }
    }

    /** The frame of {@link #next} was sent, and it was the last, or its window is closed. */
    void sentLast(Scheduled entry) {
        count(entry);
        remove(entry);
    }

    private void count(Scheduled entry) {
        int urgency = entry.priority.urgency();
        if (frames == SHARE - 1) {
            lastSpared = urgency;
        }
        frames = (frames + 1) % SHARE;
        int kind = entry.priority.isIncremental() ? 1 : 0;
        turns = turns & ~(1 << urgency) | (1 - kind) << urgency;
    }

    /** It does not wait any more. Nothing if it did not. */
    @SuppressWarnings("ReferenceEquality") // this very entry
    void remove(Scheduled entry) {
        Scheduled after = entry.next;
        Scheduled before = entry.previous;
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

    /** It has another priority from now on, whether or not it waits. */
    void move(Scheduled entry, Priority priority) {
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
