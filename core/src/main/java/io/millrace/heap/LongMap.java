package io.millrace.heap;

/** Numbers by numbers, for millions of them: 16 bytes for each slot, of which a half is in use at most. There is no key 0. */
final class LongMap {

    private long[] keys = new long[64];
    private long[] values = new long[64];
    private int size;

    int size() {
        return size;
    }

    boolean contains(long key) {
        return key != 0 && keys[slot(key)] == key;
    }

    /** 0 if it is absent. */
    long get(long key) {
        int slot = slot(key);
        return keys[slot] == key ? values[slot] : 0;
    }

    void put(long key, long value) {
        if (2 * (size + 1) > keys.length) {
            grow();
        }
        int slot = slot(key);
        if (keys[slot] != key) {
            keys[slot] = key;
            size++;
        }
        values[slot] = value;
    }

    /** That of the key, or the empty one where it belongs. */
    private int slot(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        int slot = (int) (mixed >>> 32) & keys.length - 1;
        while (keys[slot] != 0 && keys[slot] != key) {
            slot = slot + 1 & keys.length - 1;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldValues = values;
        keys = new long[2 * oldKeys.length];
        values = new long[2 * oldKeys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                values[slot] = oldValues[i];
            }
        }
    }
}
