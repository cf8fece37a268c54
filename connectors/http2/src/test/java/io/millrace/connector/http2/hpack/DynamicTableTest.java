package io.millrace.connector.http2.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DynamicTableTest {

    @Test
    void holdsWhatAPlainListWould() {
        Random random = new Random(7541);
        DynamicTable table = new DynamicTable(400);
        Deque<String> model = new ArrayDeque<>();
        int maxSize = 400;
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(50) == 0) {
                maxSize = random.nextInt(1000);
                table.maxSize(maxSize);
            } else {
                String text = "v".repeat(random.nextInt(random.nextInt(20) == 0 ? 1000 : 30));
                table.add("n" + i, text);
                model.addFirst("n" + i + "=" + text);
            }
            trim(model, maxSize);
            check(table, model);
        }
    }

    /** A field larger than the table is evicted like the others. */
    private static void trim(Deque<String> model, int maxSize) {
        while (size(model) > maxSize) {
            model.removeLast();
        }
    }

    private static int size(Deque<String> model) {
        return model.stream().mapToInt(field -> field.length() + 31).sum();
    }

    private static void check(DynamicTable table, Deque<String> model) {
        assertEquals(model.size(), table.count());
        assertEquals(size(model), table.size());
        int index = 1;
        for (String field : model) {
            assertEquals(field, table.name(index) + "=" + table.value(index));
            assertEquals(index, table.find(table.name(index), table.value(index)));
            assertEquals(index, table.findName(table.name(index)));
            index++;
        }
        assertEquals(0, table.find("n", "v"));
    }
}
