package io.millrace.protocol.mux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class StreamTableTest {

    private record Stream(int id) implements StreamTable.Entry {}

    private final StreamTable<Stream> table = new StreamTable<>();

    @Test
    void isEmptyAtFirst() {
        assertEquals(0, table.size());
        assertEquals(0, table.last());
        assertNull(table.find(1));
        assertNull(table.howClosed(1));
        table.remove(new Stream(1), StreamState.CLOSED);
    }

    @Test
    void opensOnlyHigherIds() {
        table.open(new Stream(5));

        assertThrows(IllegalStateException.class, () -> table.open(new Stream(5)));
        assertThrows(IllegalStateException.class, () -> table.open(new Stream(3)));
    }

    @Test
    void remembersHowTheLastOnesEnded() {
        StreamState[] ways = {StreamState.CLOSED, StreamState.RESET_BY_US, StreamState.RESET_BY_PEER};
        for (int i = 0; i < 1000; i++) {
            Stream stream = new Stream(2 * i + 1);
            table.open(stream);
            table.remove(stream, ways[i % 3]);
        }
        for (int i = 1000 - StreamTable.REMEMBERED; i < 1000; i++) {
            assertEquals(ways[i % 3], table.howClosed(2 * i + 1));
        }
        assertNull(table.howClosed(2 * (1000 - StreamTable.REMEMBERED) - 1));
        table.skip(Integer.MAX_VALUE, StreamState.RESET_BY_US);
        assertEquals(StreamState.RESET_BY_US, table.howClosed(Integer.MAX_VALUE));
        assertEquals(Integer.MAX_VALUE, table.last());
    }

    @Test
    void agreesWithAMapWhateverHappens() {
        Random random = new Random(64);
        TreeMap<Integer, Stream> map = new TreeMap<>();
        int next = 1;
        for (int round = 0; round < 200_000; round++) {
            boolean grow = random.nextInt(1000) < (round / 10_000 % 2 == 0 ? 600 : 400);
            if (grow || map.isEmpty()) {
                Stream stream = new Stream(next);
                map.put(next, stream);
                table.open(stream);
                next += 2 * (1 + random.nextInt(3));
            } else {
                Map.Entry<Integer, Stream> some = map.floorEntry(1 + random.nextInt(next));
                if (some != null) {
                    map.remove(some.getKey());
                    table.remove(some.getValue(), StreamState.CLOSED);
                }
            }
            assertEquals(map.size(), table.size());
            int probe = 1 + 2 * random.nextInt(next);
            assertEquals(map.get(probe), table.find(probe));
        }
        List<Integer> ids = new ArrayList<>();
        table.forEach(stream -> ids.add(stream.id()));
        assertEquals(List.copyOf(map.keySet()), ids.stream().sorted().toList());
    }
}
