package io.millrace.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The cache's memory … */
final class SliceMemoryTest {

    private static final int MIB = 1 << 20;

    private final SliceMemory memory = new SliceMemory(4 * MIB);

    private static List<Integer> sizes(List<SliceMemory.Slice> slices) {
        return slices.stream().map(slice -> slice.memory().capacity() / 1024).toList();
    }

    private List<SliceMemory.Slice> allocate(long bytes) {
        List<SliceMemory.Slice> slices = memory.allocate(bytes);
        assertNotNull(slices);
        return slices;
    }

    @Test
    void cutsPowersOfTwo() {
        assertEquals(List.of(1), sizes(allocate(1)));
        assertEquals(List.of(4, 1), sizes(allocate(4 * 1024 + 1)));
        assertEquals(List.of(1024, 512, 1), sizes(allocate(MIB + 512 * 1024 + 7)));
    }

    @Test
    void endsAtItsLimit() {
        List<SliceMemory.Slice> all = allocate(4 * MIB);
        assertNull(memory.allocate(1));
        memory.free(all);
        assertEquals(0, memory.used());
        assertNull(memory.allocate(4 * MIB + 1));
    }

    @Test
    void hasAtLeastOneRegionUnlessItMayHaveNone() {
        assertEquals(
                1, Objects.requireNonNull(new SliceMemory(1000).allocate(500)).size());
        assertNull(new SliceMemory(0).allocate(1));
    }

    @Test
    void joinsWhatIsGivenBack() {
        List<List<SliceMemory.Slice>> small = new ArrayList<>();
        for (int i = 0; i < 4 * 1024; i++) {
            small.add(allocate(1024));
        }
        small.forEach(memory::free);
        assertEquals(List.of(1024, 1024, 1024, 1024), sizes(allocate(4 * MIB)));
    }

    @Test
    void fitsAnythingIntoScatteredRoom() {
        List<List<SliceMemory.Slice>> small = new ArrayList<>();
        for (int i = 0; i < 4 * 1024; i++) {
            small.add(allocate(1024));
        }
        for (int i = 0; i < small.size(); i += 2) {
            memory.free(small.get(i));
        }
        assertEquals(64, allocate(64 * 1024).size());
    }

    @Test
    void givesNoByteToTwo() {
        Random random = new Random(7);
        Map<Integer, List<SliceMemory.Slice>> held = new HashMap<>();
        for (int i = 1; i < 20_000; i++) {
            List<SliceMemory.Slice> slices = memory.allocate(1 + random.nextInt(90_000));
            if (slices == null || random.nextInt(3) == 0) {
                int key = held.isEmpty() ? 0 : held.keySet().iterator().next();
                List<SliceMemory.Slice> gone = held.remove(key);
                if (gone != null) {
                    assertMarked(gone, key);
                    memory.free(gone);
                }
            }
            if (slices != null) {
                mark(slices, i);
                held.put(i, slices);
            }
        }
        held.forEach((key, slices) -> assertMarked(slices, key));
        held.values().forEach(memory::free);
        assertEquals(0, memory.used());
    }

    private static void mark(List<SliceMemory.Slice> slices, int value) {
        for (SliceMemory.Slice slice : slices) {
            ByteBuffer bytes = slice.memory();
            for (int at = 0; at < bytes.capacity(); at += 512) {
                bytes.putInt(at, value);
            }
        }
    }

    private static void assertMarked(List<SliceMemory.Slice> slices, int value) {
        for (SliceMemory.Slice slice : slices) {
            for (int at = 0; at < slice.memory().capacity(); at += 512) {
                assertTrue(slice.memory().getInt(at) == value, "somebody else wrote here");
            }
        }
    }
}
