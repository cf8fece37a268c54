package io.millrace.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A map of numbers … */
final class LongMapTest {

    @Test
    void hasWhatWasPutIntoItAndNothingElse() {
        LongMap map = new LongMap();
        for (long key = 1; key <= 10_000; key++) {
            map.put(8 * key, key);
            map.put(-key, key + 1);
        }
        map.put(8, 70);
        assertEquals(20_000, map.size());
        assertEquals(70, map.get(8));
        for (long key = 2; key <= 10_000; key++) {
            assertEquals(key, map.get(8 * key));
            assertEquals(key + 1, map.get(-key));
            assertFalse(map.contains(8 * key + 1));
        }
        assertTrue(map.contains(-1));
        assertEquals(0, map.get(7));
        assertFalse(map.contains(0));
    }
}
