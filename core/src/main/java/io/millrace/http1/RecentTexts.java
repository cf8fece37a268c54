package io.millrace.http1;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What was made from texts that came lately, since most requests name the same few paths and hosts. A text falls out when
 * another comes to its slot. Entries are immutable and published by plain writes: at worst one is made twice.
 */
final class RecentTexts<T> {

    /** Longer ones are seldom repeated. */
    private static final int LONGEST = 64;

    private static final int SLOTS = 512;

    private final @Nullable Entry[] entries = new @Nullable Entry[SLOTS];

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Entry(byte[] text, Object value) {}

    /** What was made from this text, or null. */
    @Nullable
    @SuppressWarnings("unchecked") // only put writes entries
    T get(byte[] bytes, int from, int to) {
        Entry entry = entries[slot(bytes, from, to)];
        return entry != null && Arrays.equals(entry.text, 0, entry.text.length, bytes, from, to)
                ? (T) entry.value
                : null;
    }

    void put(byte[] bytes, int from, int to, T value) {
        if (to - from <= LONGEST) {
            entries[slot(bytes, from, to)] = new Entry(Arrays.copyOfRange(bytes, from, to), value);
        }
    }

    /** Looks at no more than sixteen octets, mostly at the end, where paths differ. */
    private static int slot(byte[] bytes, int from, int to) {
        int hash = to - from;
        for (int i = Math.max(from, to - 16); i < to; i++) {
            hash = 31 * hash + bytes[i];
        }
        return (hash ^ hash >>> 9 ^ hash >>> 18) & (SLOTS - 1);
    }
}
