package io.millrace.http;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cache of objects decoded from recently received octets, since most requests repeat the same few paths, hosts and
 * user agents. A hash table without chains: an entry is evicted by the next one for its slot. Thread-safe without locks:
 * entries are immutable and published by plain writes, so that at worst a text is decoded twice.
 *
 * @param <T> the type of decoded objects; immutable
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
     * @param longest the maximum length of a cached text, in octets: longer ones are seldom repeated
     */
    public RecentTexts(int longest) {
        this.longest = longest;
    }

    /** The object decoded from these octets, or null if it is not cached. */
    @SuppressWarnings("unchecked") // only put writes entries
    public @Nullable T get(byte[] bytes, int from, int to) {
        Entry entry = entries[slot(bytes, from, to)];
        return entry != null && Arrays.equals(entry.text, 0, entry.text.length, bytes, from, to)
                ? (T) entry.value
                : null;
    }

    /** Caches the object decoded from these octets, unless they are too many. */
    public void put(byte[] bytes, int from, int to, T value) {
        if (to - from <= longest) {
            entries[slot(bytes, from, to)] = new Entry(Arrays.copyOfRange(bytes, from, to), value);
        }
    }

    /** Hashes the length and the last sixteen octets, since paths differ at their ends. */
    private static int slot(byte[] bytes, int from, int to) {
        int hash = to - from;
        for (int i = Math.max(from, to - 16); i < to; i++) {
            hash = 31 * hash + bytes[i];
        }
        return (hash ^ hash >>> 9 ^ hash >>> 18) & (SLOTS - 1);
    }
}
