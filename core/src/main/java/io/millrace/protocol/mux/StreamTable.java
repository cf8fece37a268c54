package io.millrace.protocol.mux;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection's open streams by their ids, and how the last of the others ended. Takes no memory before the first stream, and
 * little once all have ended. Ids are odd, as those of clients are, or even, of those that a server pushes. Guarded by the connection's output lock, since streams end
 * on any thread.
 *
 * @param <S> the streams
 */
final class StreamTable<S extends StreamTable.Entry> {

    /** What the table knows of a stream. */
    interface Entry {
        int id();
    }

    /** How many of the closed streams are remembered: what may still be under way for them is dealt with accordingly. */
    static final int REMEMBERED = 128;

    private static final int LEAST = 8;

    /** Of a multiplicative hash. It is odd, and nobody's guess: else a peer could choose ids that all have one place. */
    private static final int MULTIPLIER = ThreadLocalRandom.current().nextInt() | 1;

    private static final Entry[] NONE = {};
    private static final int[] NO_IDS = {};

    /** Open addressing, linear probing; a power of two, at most half full. */
    private @Nullable Entry[] slots = NONE;

    private int size;
    private int last;
    private int lastPushed;

    /** The closed ones, a ring: 30 bits of the id, and in the highest and lowest bit the way it ended. */
    private int[] closed = NO_IDS;

    private int closedCount;

    /** How many are open. */
    int size() {
        return size;
    }

    /** The highest odd id that was opened; 0 if none was. */
    int last() {
        return last;
    }

    /** The highest even one. */
    int lastPushed() {
        return lastPushed;
    }

    private static boolean isPushed(int id) {
        return (id & 1) == 0;
    }

    /** Has no stream of this id, or a higher one of its kind, been opened? */
    boolean isUnused(int id) {
        return id > (isPushed(id) ? lastPushed : last);
    }

    /** The open stream of this id; null if there is none. */
    @SuppressWarnings("unchecked") // only such are put in
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

    /** Adds a stream whose id is higher than all before of its kind. */
    void open(S stream) {
        if (!isUnused(stream.id())) {
            throw new IllegalStateException("stream " + stream.id() + " is opened after a higher one");
        }
        if (2 * (size + 1) > slots.length) {
            resize(Math.max(LEAST, 2 * slots.length));
        }
        insert(stream);
        size++;
        if (isPushed(stream.id())) {
            lastPushed = stream.id();
        } else {
            last = stream.id();
        }
    }

    /** A stream, whose id is higher than all before, is not opened, and known to have ended so. */
    void skip(int id, StreamState how) {
        last = Math.max(last, id);
        remember(id, how);
    }

    /** A stream has ended. Nothing if it is not open. */
    @SuppressWarnings("ReferenceEquality") // this very stream
    void remove(S stream, StreamState how) {
        if (size == 0) {
            return;
        }
        int mask = slots.length - 1;
        int i = home(stream.id(), mask);
        while (slots[i] != stream) {
            if (slots[i] == null) {
                return;
            }
            i = i + 1 & mask;
        }
        size--;
        if (size == 0) {
            slots = slots.length > LEAST ? NONE : emptied();
        } else {
            close(i, mask);
        }
        remember(stream.id(), how);
    }

    private @Nullable Entry[] emptied() {
        Arrays.fill(slots, null);
        return slots;
    }

    /** Moves those behind a gap that would not be found any more. */
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
     * How a stream ended: CLOSED or one of the resets; null if it never was open, or nobody remembers. Of pushed ones as if we
     * had reset them: the peer has nothing to send on them but what it may not have known.
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

    /** Have more streams been closed than are remembered? */
    boolean hasForgotten() {
        return closedCount >= REMEMBERED;
    }

    private void remember(int id, StreamState how) {
        if (isPushed(id)) {
            return;
        }
        if (closedCount == closed.length && closed.length < REMEMBERED) {
            closed = Arrays.copyOf(closed, Math.max(LEAST, 2 * closed.length));
        }
        int bits = how.bits();
        closed[closedCount % closed.length] = id & 0x7ffffffe | bits & 1 | (bits & 2) << 30;
        closedCount++;
        if (closedCount == 2 * REMEMBERED) {
            closedCount = REMEMBERED;
        }
    }

    /** All open streams, in any order. The action must not open or remove any. */
    @SuppressWarnings("unchecked") // only such are put in
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
