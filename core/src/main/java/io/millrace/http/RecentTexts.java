package io.millrace.http;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cache of what was made from octets that came lately, since most requests name the same few paths, hosts and browsers. A
 * text is evicted when another comes to its slot. Any thread: entries are immutable and published by plain writes, so at worst
 * one is made twice.
 *
 * @param <T> what is made of a text; immutable
 */
public final class RecentTexts<T> {

    private static final int SLOTS = 512;

    private final @Nullable Entry[] entries = new @Nullable Entry[SLOTS];
    private final int longest;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Entry(byte[] text, Object value) {}

    /**
     * An empty cache.
     *
     * @param longest how many octets a text may have to be kept: longer ones are seldom repeated
     */
    public RecentTexts(int longest) {
        this.longest = longest;
    }

    /** What was made from this text, or null. */
    @SuppressWarnings("unchecked") // only put writes entries
    public @Nullable T get(byte[] bytes, int from, int to) {
        Entry entry = entries[slot(bytes, from, to)];
        return entry != null && Arrays.equals(entry.text, 0, entry.text.length, bytes, from, to)
                ? (T) entry.value
                : null;
    }

    /** Keeps what was made from this text, unless it is too long. */
    public void put(byte[] bytes, int from, int to, T value) {
        if (to - from <= longest) {
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
