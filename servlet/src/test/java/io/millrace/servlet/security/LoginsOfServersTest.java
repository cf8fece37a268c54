package io.millrace.servlet.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.session.SessionGroup;
import io.millrace.servlet.session.SessionLogin;
import io.millrace.servlet.session.SessionUnavailableException;
import io.millrace.servlet.session.store.FaultyStore;
import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SharedMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A login of several servers, while the map that they share does not answer for longer than the timeout, … */
final class LoginsOfServersTest {

    private static final int TIMEOUT_SECONDS = 1800;

    private final FaultyStore store = new FaultyStore();
    private final AtomicLong now = new AtomicLong();

    private SessionGroup begin(boolean trustsMemory) {
        SessionLogin ann = new SessionLogin(new Identity("ann", Set.of()), "BASIC");
        SessionGroup login = new LoginsOfServers(new SharedMap(store), trustsMemory, now::get)
                .begin("A".repeat(27), ann, null, "users", TIMEOUT_SECONDS)
                .group();
        assertFalse(login.isOver(TIMEOUT_SECONDS));
        store.down(true);
        return login;
    }

    private void pass(int seconds) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    private SessionRecord stored() {
        SessionRecord record = store.sessions.read(store.sessions.keys(1).get(0));
        assertNotNull(record);
        return record;
    }

    /** The map answers again, which has an entry of long ago. */
    private void endOutage() {
        SessionRecord record = stored();
        assertTrue(store.sessions.write(record.withLastAccessed(record.lastAccessed() - 10_000_000)));
        store.down(false);
        pass(1);
    }

    @Test
    void staysIfItWasUsedAllTheTime() {
        SessionGroup login = begin(true);
        for (int i = 0; i < 4; i++) {
            pass(TIMEOUT_SECONDS - 10);
            assertFalse(login.isOver(TIMEOUT_SECONDS));
        }
        long before = stored().lastAccessed();
        endOutage();
        assertFalse(login.isOver(TIMEOUT_SECONDS));
        assertTrue(stored().lastAccessed() >= before, "the other servers know it, too");
        assertEquals(1, store.sessions.size());
    }

    @Test
    void expiresIfItWasNot() {
        SessionGroup login = begin(true);
        pass(10);
        assertFalse(login.isOver(TIMEOUT_SECONDS));
        pass(TIMEOUT_SECONDS);
        endOutage();
        assertTrue(login.isOver(TIMEOUT_SECONDS));
    }

    @Test
    void isOverIfAnotherServerHasEndedIt() {
        SessionGroup login = begin(true);
        pass(TIMEOUT_SECONDS - 10);
        assertFalse(login.isOver(TIMEOUT_SECONDS));
        store.sessions.remove(stored().key());
        store.down(false);
        pass(1);
        assertTrue(login.isOver(TIMEOUT_SECONDS));
    }

    @Test
    void isNotKnownToAServerThatDoesNotTrustItsMemory() {
        SessionGroup login = begin(false);
        pass(TIMEOUT_SECONDS);
        assertThrows(SessionUnavailableException.class, () -> login.isOver(TIMEOUT_SECONDS));
        endOutage();
        assertTrue(login.isOver(TIMEOUT_SECONDS));
    }
}
