package io.millrace.servlet.session.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a {@link SharedMap} does in every store. */
public abstract class SharedMapContract {

    private static final String KEY = "a name with spaces, ü and more than a hundred characters ".repeat(3);
    private static final int IDLE = 60;
    private static final long NOW = 1_000_000;
    private static final long LATER = NOW + IDLE * 1000L;

    /** An empty one for each test. */
    protected abstract SessionStore store() throws IOException;

    /**
     * Another one that reads and writes the same sessions, as another server has it. The same one will do if it is all that
     * is shared.
     */
    protected abstract SessionStore other(SessionStore store) throws IOException;

    private static SharedMap.Entry get(SharedMap map) throws IOException {
        SharedMap.Entry entry = map.get(KEY);
        assertNotNull(entry);
        return entry;
    }

    @Test
    void replacesAVersionOnlyOnce() throws IOException {
        SessionStore store = store();
        SharedMap here = new SharedMap(store);
        SharedMap there = new SharedMap(other(store));
        assertNull(here.get(KEY));
        assertFalse(here.put(KEY, new byte[1], 1, NOW, IDLE), "there is none yet");
        assertTrue(here.put(KEY, new byte[] {1}, 0, NOW, IDLE));
        assertFalse(there.put(KEY, new byte[] {2}, 0, NOW, IDLE));
        SharedMap.Entry first = get(there);
        assertArrayEquals(new byte[] {1}, first.value());
        assertTrue(there.put(KEY, new byte[] {3, 4}, first.version(), NOW, IDLE));
        assertFalse(here.put(KEY, new byte[] {5}, first.version(), NOW, IDLE));
        assertArrayEquals(new byte[] {3, 4}, get(here).value());
        assertNull(here.get("another"));
    }

    @Test
    void replacesAValueByOneThatIsMadeOfIt() throws IOException {
        SessionStore store = store();
        SharedMap here = new SharedMap(store);
        SharedMap there = new SharedMap(other(store));
        assertTrue(here.update(KEY, NOW, IDLE, before -> new byte[] {before == null ? (byte) 1 : 0}));
        AtomicInteger attempts = new AtomicInteger();
        assertTrue(there.update(KEY, NOW, IDLE, before -> {
            if (attempts.incrementAndGet() == 1) {
                incremented(here); // meanwhile
            }
            return new byte[] {(byte) (before[0] * 2)};
        }));
        assertEquals(2, attempts.get());
        assertArrayEquals(new byte[] {4}, get(here).value());
        assertFalse(there.update(KEY, NOW, IDLE, before -> null));
        assertArrayEquals(new byte[] {4}, get(here).value());
    }

    private static void incremented(SharedMap map) {
        try {
            assertTrue(map.update(KEY, NOW, IDLE, before -> new byte[] {(byte) (before[0] + 1)}));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void removesWhatHasExpiredNowAndThen() throws IOException {
        SharedMap map = new SharedMap(store());
        assertTrue(map.put("old", new byte[1], 0, NOW, IDLE));
        for (int i = 0; i < 100; i++) {
            assertTrue(map.update(KEY, LATER + 1, IDLE, before -> new byte[1]));
        }
        assertNull(map.get("old"));
        assertNotNull(map.get(KEY));
    }

    @Test
    void removesAValueForOneCaller() throws IOException {
        SessionStore store = store();
        SharedMap here = new SharedMap(store);
        assertFalse(here.remove(KEY));
        assertTrue(here.put(KEY, new byte[0], 0, NOW, IDLE));
        assertEquals(0, get(here).value().length);
        assertTrue(new SharedMap(other(store)).remove(KEY));
        assertFalse(here.remove(KEY));
        assertFalse(here.touch(KEY, NOW));
        assertTrue(here.put(KEY, new byte[1], 0, NOW, IDLE), "as if it had never been there");
    }

    @Test
    void givesAwayWhatWasNotTouched() throws IOException {
        SessionStore store = store();
        SharedMap here = new SharedMap(store);
        assertTrue(here.put(KEY, new byte[] {9}, 0, NOW, IDLE));
        assertTrue(here.put("for ever", new byte[1], 0, NOW, 0));
        assertTrue(here.touch(KEY, NOW + 1));
        assertEquals(0, here.takeExpired(LATER, 10).size());
        assertFalse(here.touch(KEY, LATER + 1), "too late");
        SharedMap there = new SharedMap(other(store));
        assertArrayEquals(
                new byte[] {9}, there.takeExpired(LATER + 1, 10).get(0).value());
        assertEquals(0, here.takeExpired(LATER + 1, 10).size());
        assertNotNull(here.get("for ever"));
    }
}
