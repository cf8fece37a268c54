package io.millrace.servlet.session.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The store in memory … */
final class MemorySessionStoreTest extends SessionStoreContract {

    @Override
    protected SessionStore store() {
        return new MemorySessionStore();
    }

    @Override
    protected SessionStore other(SessionStore store) {
        return store;
    }

    @Test
    void countsItsSessions() {
        MemorySessionStore store = new MemorySessionStore();
        store.write(new SessionRecord("k", 0, 1, 1, 0, Map.of(), Map.of()));
        assertEquals(1, store.size());
    }
}
