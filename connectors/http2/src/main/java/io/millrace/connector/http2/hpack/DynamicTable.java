package io.millrace.connector.http2.hpack;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The dynamic table (RFC 7541, 2.3.2): a FIFO of fields, the newest of which has index 1. It allocates memory as it grows, and
 * none while it is empty. Not thread-safe.
 */
final class DynamicTable {

    /** Added to the octets of each field (4.1). */
    static final int OVERHEAD = 32;

    private static final int MIN_CAPACITY = 8;
    private static final @Nullable String[] NOTHING = {};

    /** A ring of names and values, alternating; its length is a power of two. */
    private @Nullable String[] ring = NOTHING;

    /** Which fields have been {@linkplain #setChecked checked}, by their slots; shorter than the ring while none has. */
    private final BitSet checked = new BitSet(0);

    /** The number of fields ever added, modulo 2³². The newest field is in the slot before it. */
    private int added;

    private int count;
    private int size;
    private int maxSize;

    DynamicTable(int maxSize) {
        this.maxSize = maxSize;
    }

    /** The size of a field (4.1). */
    static int sizeOf(String name, String value) {
        return name.length() + value.length() + OVERHEAD;
    }

    /** The number of fields. */
    int count() {
        return count;
    }

    /** The sum of their sizes. */
    int size() {
        return size;
    }

    /** The limit of {@link #size}. */
    int maxSize() {
        return maxSize;
    }

    /** Changes the limit, and evicts fields that exceed it. */
    void maxSize(int value) {
        maxSize = value;
        evict(value);
    }

    /** The name of the field with this index, 1 to {@link #count}. */
    String name(int index) {
        return text(2 * slot(index));
    }

    /** Its value. */
    String value(int index) {
        return text(2 * slot(index) + 1);
    }

    /** Whether the field with this index was {@linkplain #setChecked found to be valid}. */
    boolean isChecked(int index) {
        return checked.get(slot(index));
    }

    /** Notes that the field with this index is valid, as long as it is here. */
    void setChecked(int index) {
        checked.set(slot(index));
    }

    private int slot(int index) {
        return added - index & ring.length / 2 - 1;
    }

    private String text(int at) {
        String text = ring[at];
        if (text == null) {
            throw new IllegalStateException("no field at " + at + " of " + ring.length);
        }
        return text;
    }

    /**
     * Adds a field, evicting the oldest ones to make room. One that is larger than the table empties it (4.4).
     *
     * @return whether the table has it now
     */
    boolean add(String name, String value) {
        int more = sizeOf(name, value);
        if (more > maxSize) {
            evict(0);
            return false;
        }
        evict(maxSize - more);
        if (2 * count == ring.length) {
            grow();
        }
        int slot = added++ & ring.length / 2 - 1;
        ring[2 * slot] = name;
        ring[2 * slot + 1] = value;
        checked.clear(slot);
        size += more;
        count++;
        return true;
    }

    /** Doubles the slots and moves the fields to the first ones, the oldest first. */
    private void grow() {
        @Nullable String[] wider = new @Nullable String[Math.max(2 * MIN_CAPACITY, 2 * ring.length)];
        BitSet before = (BitSet) checked.clone();
        for (int i = 0; i < count; i++) {
            int from = 2 * slot(count - i);
            wider[2 * i] = ring[from];
            wider[2 * i + 1] = ring[from + 1];
            checked.set(i, before.get(from / 2));
        }
        ring = wider;
        added = count;
    }

    private void evict(int limit) {
        while (size > limit) {
            int oldest = 2 * slot(count);
            size -= sizeOf(text(oldest), text(oldest + 1));
            Arrays.fill(ring, oldest, oldest + 2, null);
            count--;
        }
        if (count == 0) {
            ring = NOTHING;
            added = 0;
        }
    }

    /** The index of this field; 0 if the table does not have it. */
    int find(String name, String value) {
        for (int index = 1; index <= count; index++) {
            if (value(index).equals(value) && name(index).equals(name)) {
                return index;
            }
        }
        return 0;
    }

    /** The index of the newest field of this name; 0 if there is none. */
    int findName(String name) {
        for (int index = 1; index <= count; index++) {
            if (name(index).equals(name)) {
                return index;
            }
        }
        return 0;
    }
}
