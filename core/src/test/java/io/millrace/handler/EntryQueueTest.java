package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.RefusedRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The queue of access log entries … */
class EntryQueueTest {

    private static AccessEntry entry(int status) {
        return AccessEntry.refused(new RefusedRequest(
                status, "odd", null, new MemoryStream().channel().info()));
    }

    @Test
    void keepsTheOrderAndRefusesWhenItIsFull() {
        AccessWriter.EntryQueue queue = new AccessWriter.EntryQueue(4);
        for (int i = 0; i < 4; i++) {
            assertTrue(queue.offer(entry(i)));
        }
        assertFalse(queue.offer(entry(4)));
        for (int i = 0; i < 4; i++) {
            AccessEntry next = queue.poll();
            assertEquals(i, next == null ? -1 : next.outcome().status());
        }
        assertNull(queue.poll());
        assertTrue(queue.offer(entry(5)));
    }

    @Test
    @Timeout(60)
    void losesNothingBetweenManyWritersAndOneReader() throws InterruptedException {
        AccessWriter.EntryQueue queue = new AccessWriter.EntryQueue(64);
        int writers = 4;
        int each = 20_000;
        List<Thread> threads = new ArrayList<>();
        for (int w = 0; w < writers; w++) {
            int number = w;
            Thread thread = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    AccessEntry entry = entry(number * each + i);
                    while (!queue.offer(entry)) {
                        Thread.onSpinWait();
                    }
                }
            });
            thread.start();
            threads.add(thread);
        }
        int[] next = {0, each, 2 * each, 3 * each};
        for (int read = 0; read < writers * each; ) {
            AccessEntry entry = queue.poll();
            if (entry != null) {
                int status = entry.outcome().status();
                assertEquals(next[status / each]++, status);
                read++;
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
