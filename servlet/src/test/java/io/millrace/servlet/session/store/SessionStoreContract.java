package io.millrace.servlet.session.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every {@link SessionStore} does. A test of one inherits this and says how it is made. */
@Timeout(60)
public abstract class SessionStoreContract extends SharedMapContract {

    private static final int THREADS = 4;
    private static final int ROUNDS = 50;

    private static SessionRecord record(String key, long version, long used, int idle, Map<String, byte[]> attributes) {
        return new SessionRecord(key, version, 1_000, used, idle, attributes, Map.of("note", new byte[] {7}));
    }

    private static SessionRecord record(String key, long version, byte... value) {
        return record(key, version, 2_000, 60, Map.of("a", value));
    }

    private static SessionRecord read(SessionStore store, String key) throws IOException {
        SessionRecord found = store.read(key);
        assertNotNull(found);
        return found;
    }

    @Test
    void givesBackWhatWasWritten() throws IOException {
        SessionStore store = store();
        assertNull(store.read("k"));
        assertTrue(store.write(record("k", 0, 2_000, 60, Map.of("a", new byte[] {1, 2}, "ü", new byte[0]))));
        SessionRecord found = read(other(store), "k");
        assertEquals("k", found.key());
        assertEquals(1, found.version());
        assertEquals(1_000, found.created());
        assertEquals(2_000, found.lastAccessed());
        assertEquals(60, found.maxIdleSeconds());
        assertEquals(62_000, found.expires());
        assertEquals(2, found.attributes().size());
        assertArrayEquals(new byte[] {1, 2}, found.attributes().get("a"));
        assertArrayEquals(new byte[0], found.attributes().get("ü"));
        assertArrayEquals(new byte[] {7}, found.notes().get("note"));
    }

    @Test
    void replacesOnlyTheVersionItIsToldTo() throws IOException {
        SessionStore store = store();
        assertFalse(store.write(record("k", 1)), "there is none");
        assertTrue(store.write(record("k", 0, (byte) 1)));
        assertFalse(store.write(record("k", 0, (byte) 2)), "there is one");
        assertTrue(store.write(record("k", 1, (byte) 3)));
        assertFalse(store.write(record("k", 1, (byte) 4)), "it is another by now");
        SessionRecord found = read(store, "k");
        assertEquals(2, found.version());
        assertArrayEquals(new byte[] {3}, found.attributes().get("a"));
    }

    @Test
    void removesForOneCaller() throws IOException {
        SessionStore store = store();
        assertFalse(store.remove("k"));
        store.write(record("k", 0));
        assertTrue(store.remove("k"));
        assertFalse(other(store).remove("k"));
        assertNull(store.read("k"));
        assertFalse(store.write(record("k", 1)), "what is gone stays gone");
    }

    @Test
    void notesTheUseOfASession() throws IOException {
        SessionStore store = store();
        store.touch("k", 5_000);
        assertNull(store.read("k"));
        store.write(record("k", 0));
        store.touch("k", 5_000);
        store.touch("k", 3_000);
        SessionRecord found = read(other(store), "k");
        assertEquals(5_000, found.lastAccessed(), "the latest");
        assertEquals(1, found.version());
    }

    @Test
    void givesASessionToARequestThatBegins() throws IOException {
        SessionStore store = store();
        assertNull(store.access("k", null, 5_000).session());
        store.write(record("k", 0, (byte) 1));
        SessionStore.Access first = store.access("k", null, 5_000);
        assertArrayEquals(new byte[] {1}, before(first, 2_000).attributes().get("a"));
        long recorded = first.isRecorded() ? 5_000 : 2_000;
        assertEquals(recorded, read(other(store), "k").lastAccessed());
        SessionRecord known = read(store, "k");
        SessionStore.Access unchanged = other(store).access("k", known, 5_001);
        assertArrayEquals(
                new byte[] {1}, before(unchanged, recorded).attributes().get("a"));
        assertEquals(first.isRecorded(), unchanged.isRecorded());
        store.write(record("k", 1, 6_000, 60, Map.of("a", new byte[] {2})));
        SessionStore.Access changed = store.access("k", known, 7_000);
        assertArrayEquals(new byte[] {2}, before(changed, 6_000).attributes().get("a"));
        SessionRecord now = read(store, "k");
        assertEquals(2, now.version(), "an access is no write");
        assertFalse(store.access("k", now, now.expires()).isRecorded(), "it has expired by then");
        assertEquals(now.lastAccessed(), read(store, "k").lastAccessed());
    }

    private static SessionRecord before(SessionStore.Access access, long used) {
        SessionRecord found = access.session();
        assertNotNull(found);
        assertEquals(used, found.lastAccessed(), "of before the access");
        return found;
    }

    @Test
    void notesNoUseOfASessionThatHasExpired() throws IOException {
        SessionStore store = store();
        assertFalse(store.touch("k", 5_000), "there is none");
        store.write(record("k", 0, 2_000, 60, Map.of()));
        assertFalse(store.touch("k", 62_000));
        assertEquals(2_000, read(store, "k").lastAccessed());
        assertTrue(store.touch("k", 61_999));
        assertEquals(61_999, read(other(store), "k").lastAccessed());
        assertTrue(store.touch("k", 5_000), "it has a later time, but it is there");
        store.write(record("ever", 0, 2_000, 0, Map.of()));
        assertTrue(store.touch("ever", Long.MAX_VALUE / 2));
    }

    @Test
    void showsWhetherThereIsANewerVersion() throws IOException {
        SessionStore store = store();
        assertNull(store.readIfNewer(record("k", 1)));
        store.write(record("k", 0, (byte) 1));
        SessionRecord first = read(store, "k");
        other(store).touch("k", 5_000);
        SessionRecord same = store.readIfNewer(first);
        assertNotNull(same);
        assertEquals(1, same.version());
        assertEquals(5_000, same.lastAccessed());
        assertArrayEquals(new byte[] {1}, same.attributes().get("a"));
        assertTrue(other(store).write(record("k", 1, (byte) 2), first));
        SessionRecord newer = store.readIfNewer(first);
        assertNotNull(newer);
        assertEquals(2, newer.version());
        assertArrayEquals(new byte[] {2}, newer.attributes().get("a"));
        store.remove("k");
        assertNull(store.readIfNewer(newer));
        store.write(new SessionRecord("k", 0, 1_001, 2_000, 60, Map.of("a", new byte[] {9}), Map.of()));
        SessionRecord another = store.readIfNewer(first);
        assertNotNull(another);
        assertArrayEquals(new byte[] {9}, another.attributes().get("a"), "another session with the same key");
    }

    @Test
    void countsAndListsItsSessions() throws IOException {
        SessionStore store = store();
        assertEquals(0, store.size());
        assertEquals(List.of(), store.keys(10));
        for (int i = 0; i < 5; i++) {
            store.write(record("k" + i, 0, 1_000, 1, Map.of()));
        }
        assertEquals(5, other(store).size());
        assertEquals(3, store.keys(3).size());
        assertEquals(
                List.of("k0", "k1", "k2", "k3", "k4"),
                other(store).keys(10).stream().sorted().toList());
    }

    @Test
    void handsOutWhatHasExpired() throws IOException {
        SessionStore store = store();
        store.write(record("short", 0, 1_000, 1, Map.of()));
        store.write(record("long", 0, 1_000, 10, Map.of()));
        store.write(record("ever", 0, 1_000, 0, Map.of()));
        store.write(record("touched", 0, 1_000, 1, Map.of()));
        store.touch("touched", 1_999);
        assertEquals(List.of(), store.takeExpired(1_999, 10));
        List<SessionRecord> taken = store.takeExpired(2_000, 10);
        assertEquals(List.of("short"), taken.stream().map(SessionRecord::key).toList());
        assertNull(store.read("short"));
        assertEquals(2, other(store).takeExpired(Long.MAX_VALUE - 1, 10).size());
        assertNotNull(store.read("ever"));
    }

    @Test
    void handsOutNoMoreThanAskedFor() throws IOException {
        SessionStore store = store();
        for (int i = 0; i < 5; i++) {
            store.write(record("k" + i, 0, 1_000, 1, Map.of()));
        }
        assertEquals(2, store.takeExpired(10_000, 2).size());
        assertEquals(3, store.takeExpired(10_000, 10).size());
    }

    @Test
    void isNotEmptyAsLongAsItHasASession() throws IOException {
        SessionStore store = store();
        assertTrue(store.isEmpty());
        store.write(record("k", 0));
        assertFalse(store.isEmpty());
        assertFalse(other(store).isEmpty());
        store.remove("k");
        assertTrue(store.isEmpty());
    }

    @Test
    void takesAnyTextForAKey() throws IOException {
        SessionStore store = store();
        for (String key :
                List.of("", ".", "../secret", "a/b", "a\0b", "x'; drop table sessions; --", "ü", "a".repeat(9_999))) {
            assertNull(store.read(key), key);
            assertFalse(store.remove(key), key);
            store.touch(key, 1);
            assertNull(store.access(key, null, 1).session(), key);
        }
    }

    /** Each thread counts to {@value #ROUNDS} in one session, as servers do: read, add one, write if nobody was faster. */
    @Test
    void losesNoneOfManyConcurrentWrites() throws Exception {
        SessionStore store = store();
        SessionStore other = other(store);
        store.write(record("k", 0, number(0)));
        race(thread -> {
            SessionStore mine = thread % 2 == 0 ? store : other;
            for (int i = 0; i < ROUNDS; i++) {
                boolean written = false;
                while (!written) {
                    SessionRecord now = read(mine, "k");
                    byte[] next =
                            number(ByteBuffer.wrap(now.attributes().get("a")).getInt() + 1);
                    written = mine.write(now.withChanges(Map.of("a", next), List.of()));
                }
            }
            return true;
        });
        SessionRecord end = read(store, "k");
        assertEquals(
                THREADS * ROUNDS, ByteBuffer.wrap(end.attributes().get("a")).getInt());
        assertEquals(1 + THREADS * ROUNDS, end.version());
    }

    @Test
    void letsOneOfManyTakeWhatHasExpired() throws Exception {
        SessionStore store = store();
        SessionStore other = other(store);
        for (int i = 0; i < ROUNDS; i++) {
            store.write(record("k" + i, 0, 1_000, 1, Map.of()));
        }
        List<Integer> taken = race(thread ->
                (thread % 2 == 0 ? store : other).takeExpired(9_000, ROUNDS).size());
        assertEquals(ROUNDS, taken.stream().mapToInt(count -> count).sum());
    }

    @Test
    void letsOneOfManyRemove() throws Exception {
        SessionStore store = store();
        SessionStore other = other(store);
        store.write(record("k", 0));
        List<Boolean> removed = race(thread -> (thread % 2 == 0 ? store : other).remove("k"));
        assertEquals(1, removed.stream().filter(first -> first).count());
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    private interface Racer<T> {
        T run(int thread) throws IOException;
    }

    private static <T> List<T> race(Racer<T> racer) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Callable<T>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                tasks.add(() -> {
                    start.await();
                    return racer.run(thread);
                });
            }
            List<T> results = new ArrayList<>();
            for (Future<T> result : threads.invokeAll(tasks)) {
                results.add(result.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
