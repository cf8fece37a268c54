package io.millrace.protocol.mux;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection's open streams by id, and how the most recent of the others ended. Uses no memory before the first stream, and
 * little once all have ended. The ids of clients' streams are odd, those of pushed streams even. Guarded by the connection's
 * output lock, since streams end on any thread.
 *
 * @param <S> the type of streams
 */
final class StreamTable<S extends StreamTable.Entry> {

    /** A stream, as seen by the table. */
    interface Entry {
        int id();
    }

    /** The number of closed streams that are remembered, to treat frames in flight for them accordingly. */
    static final int REMEMBERED = 128;

    private static final int MIN_CAPACITY = 8;

    /** The factor of a multiplicative hash: odd, and random, so that a peer cannot choose ids that collide. */
    private static final int MULTIPLIER = ThreadLocalRandom.current().nextInt() | 1;

    private static final Entry[] NONE = {};
    private static final int[] NO_IDS = {};

    /** Open addressing, linear probing; a power of two, at most half full. */
    private @Nullable Entry[] slots = NONE;

    private int size;
    private int last;
    private int lastPushed;

    /** A ring buffer of closed streams: 30 bits of the id, and in the highest and lowest bit how the stream ended. */
    private int[] closed = NO_IDS;

    private int closedCount;

    /** The number of open streams. */
    int size() {
        return size;
    }

    /** The highest odd id that was opened; 0 if there is none. */
    int last() {
        return last;
    }

    /** The highest even id that was opened; 0 if there is none. */
    int lastPushed() {
        return lastPushed;
    }

    private static boolean isPushed(int id) {
        return (id & 1) == 0;
    }

    /** Whether neither this stream nor one with a higher id of the same parity has been opened. */
    boolean isUnused(int id) {
        return id > (isPushed(id) ? lastPushed : last);
    }

    /** The open stream of this id; null if there is none. */
    @SuppressWarnings("unchecked") // contains only elements of type S
    @Nullable
    S find(int id) {
        if (size == 0) {
            return null;
        }
        int mask = slots.length - 1;
        for (int i = home(id, mask); slots[i] != null; i = i + 1 & mask) {
            Entry entry = slots[i];
            if (entry != null && entry.id() == id) {
                return (S) entry;
            }
        }
        return null;
    }

    /** Adds a stream, whose id must be higher than all earlier ones of the same parity. */
    void open(S stream) {
        if (!isUnused(stream.id())) {
            throw new IllegalStateException("stream " + stream.id() + " is opened after a higher one");
        }
        if (2 * (size + 1) > slots.length) {
            resize(Math.max(MIN_CAPACITY, 2 * slots.length));
        }
        insert(stream);
        size++;
        if (isPushed(stream.id())) {
            lastPushed = stream.id();
        } else {
            last = stream.id();
        }
    }

    /** Records that a new client's stream was reset instead of being opened. */
    void skip(int id, StreamState how) {
        last = Math.max(last, id);
        remember(id, how);
    }

    /** Removes a stream that has ended. False if it is not open. */
    @SuppressWarnings("ReferenceEquality") // streams are compared by identity
    boolean remove(S stream, StreamState how) {
        if (size == 0) {
            return false;
        }
        int mask = slots.length - 1;
        int i = home(stream.id(), mask);
        while (slots[i] != stream) {
            if (slots[i] == null) {
                return false;
            }
            i = i + 1 & mask;
        }
        size--;
        if (size == 0) {
            slots = slots.length > MIN_CAPACITY ? NONE : emptied();
        } else {
            close(i, mask);
        }
        remember(stream.id(), how);
        return true;
    }

    private @Nullable Entry[] emptied() {
        Arrays.fill(slots, null);
        return slots;
    }

    /** Closes a gap: moves entries that linear probing would no longer find. */
    private void close(int gap, int mask) {
        int hole = gap;
        slots[hole] = null;
        for (int i = hole + 1 & mask; slots[i] != null; i = i + 1 & mask) {
            Entry entry = slots[i];
            if (entry != null && (i - home(entry.id(), mask) & mask) >= (i - hole & mask)) {
                slots[hole] = entry;
                slots[i] = null;
                hole = i;
            }
        }
    }

    /**
     * How a stream ended: CLOSED or one of the resets; null if it was never open, or is not remembered. Pushed streams count
     * as reset by us, since frames for them may always have been in flight.
     */
    @Nullable
    StreamState howClosed(int id) {
        if (isPushed(id)) {
            return isUnused(id) ? null : StreamState.RESET_BY_US;
        }
        int known = Math.min(closedCount, closed.length);
        for (int i = 0; i < known; i++) {
            if ((closed[i] & 0x7ffffffe) == (id & 0x7ffffffe)) {
                return StreamState.ofBits(closed[i] >>> 30 & 2 | closed[i] & 1);
            }
        }
        return null;
    }

    /** Whether the ring buffer of closed streams is full, so that older ones may be unknown. */
    boolean hasForgotten() {
        return closedCount >= REMEMBERED;
    }

    private void remember(int id, StreamState how) {
        if (isPushed(id)) {
            return;
        }
        if (closedCount == closed.length && closed.length < REMEMBERED) {
            closed = Arrays.copyOf(closed, Math.max(MIN_CAPACITY, 2 * closed.length));
        }
        int bits = how.bits();
        closed[closedCount % closed.length] = id & 0x7ffffffe | bits & 1 | (bits & 2) << 30;
        closedCount++;
        if (closedCount == 2 * REMEMBERED) {
            closedCount = REMEMBERED;
        }
    }

    /** Calls an action for each open stream, in any order. The action must not open or remove any. */
    @SuppressWarnings("unchecked") // contains only elements of type S
    void forEach(Consumer<? super S> action) {
        for (Entry entry : slots) {
            if (entry != null) {
                action.accept((S) entry);
            }
        }
    }

    private void resize(int capacity) {
        @Nullable Entry[] before = slots;
        slots = new @Nullable Entry[capacity];
        for (Entry entry : before) {
            if (entry != null) {
                insert(entry);
            }
        }
    }

    private void insert(Entry stream) {
        int mask = slots.length - 1;
        int i = home(stream.id(), mask);
        while (slots[i] != null) {
            i = i + 1 & mask;
        }
        slots[i] = stream;
    }

    private static int home(int id, int mask) {
        return id * MULTIPLIER >>> Integer.numberOfLeadingZeros(mask);
    }
}
