package io.millrace.servlet.session;

import static io.millrace.servlet.session.StickySessionsTest.begin;
import static io.millrace.servlet.session.StickySessionsTest.get;
import static io.millrace.servlet.session.StickySessionsTest.key;
import static io.millrace.servlet.session.StickySessionsTest.request;
import static io.millrace.servlet.session.StickySessionsTest.session;
import static io.millrace.servlet.session.StickySessionsTest.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.session.StickySessionsTest.User;
import io.millrace.servlet.session.store.FaultyStore;
import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.settings.SameSite;
import io.millrace.testkit.Deadline;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.http.HttpSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server with sticky sessions has acknowledged, but not yet written, … */
@Timeout(60)
final class StickyMergeTest {

    private static final int NEVER = 60_000;
    private static final Duration SOON = Duration.ofSeconds(20);

    private final SessionFixture fixture = new SessionFixture();
    private final FaultyStore store = new FaultyStore();
    private final FaultyStore values = new FaultyStore();
    private final Sessions one = server("one", NEVER);
    private final Sessions two = server("two", NEVER);

    @AfterEach
    void close() {
        store.resume();
        fixture.close();
    }

    private Sessions server(String route, int delay) {
        SessionSettings settings = SessionSettings.DEFAULT
                .sticky(store, values)
                .with(SessionSettings.REPLICATION_DELAY, delay)
                .with(SessionSettings.STORE_TIMEOUT, 20_000);
        return fixture.sessions(settings, route, SameSite.UNSET);
    }

    private SessionRecord stored(String id) {
        SessionRecord record = store.sessions.read(key(id));
        assertNotNull(record);
        return record;
    }

    private static void remove(Sessions server, String id, String name) {
        RequestSession request = request(server, id);
        session(request).removeAttribute(name);
        request.end();
    }

    /** All that is waiting is written with it, before it returns. */
    private static void login(Sessions server, String id) {
        RequestSession request = request(server, id);
        session(request);
        request.login(new SessionLogin(new User("eve"), "FORM"));
        request.end();
    }

    @Test
    void isNotUndoneByAWriteThatBeganBefore() {
        Sessions three = server("three", 1);
        String id = begin(three);
        set(three, id, "x", "1");
        Deadline.await("it is written", SOON, () -> names(id).contains("x"));
        store.hang();
        int before = store.calls().size();
        set(three, id, "y", "2");
        Deadline.await("it is being written", SOON, () -> store.calls().size() > before);
        remove(three, id, "x");
        store.resume();
        Deadline.await("both are written", SOON, () -> names(id).equals(Set.of("a", "y")));
        assertNull(get(three, id, "x"));
        three.stop();
    }

    private Set<String> names(String id) {
        return stored(id).attributes().keySet();
    }

    @Test
    void isNotUndoneByATakeOverAfterAWriteThatFailed() {
        String id = begin(one);
        set(one, id, "gone", "1");
        login(one, id);
        set(one, id, "new", "2");
        set(one, id, "a", "c");
        remove(one, id, "gone");
        RequestSession idle = request(one, id);
        session(idle).setMaxInactiveInterval(77);
        idle.end();
        store.fail("write");
        assertThrows(SessionUnavailableException.class, () -> login(one, id));
        store.fail(null);
        set(two, id, "y", "3");
        two.stop();
        assertEquals("2", get(one, key(id), "new"));
        assertEquals("c", get(one, id, "a"));
        assertEquals("3", get(one, id, "y"));
        assertNull(get(one, id, "gone"));
        RequestSession last = request(one, id);
        assertEquals(77, session(last).getMaxInactiveInterval());
        last.end();
        one.stop();
        assertEquals(Set.of("a", "new", "y"), names(id));
        assertEquals(77, stored(id).maxIdleSeconds());
    }

    @Test
    void isNotUndoneInAnObjectThatWasChangedInPlace() {
        String id = begin(one);
        set(one, id, "list", new ArrayList<>(List.of("0")));
        login(one, id);
        RequestSession request = request(one, id);
        list(request).add("1");
        request.end();
        set(two, id, "list", new ArrayList<>(List.of("2")));
        two.stop();
        RequestSession next = request(one, key(id));
        assertEquals(List.of("0", "1"), list(next), "the last write wins");
        next.end();
    }

    @SuppressWarnings("unchecked")
    private static List<String> list(RequestSession request) {
        return (List<String>) session(request).getAttribute("list");
    }

    @Test
    void doesNotUndoTheTimeoutOfAnotherServer() {
        String id = begin(one);
        RequestSession running = request(one, id);
        session(running).setAttribute("x", "1");
        RequestSession there = request(two, id);
        session(there).setMaxInactiveInterval(55);
        there.end();
        two.stop();
        running.login(new SessionLogin(new User("eve"), "FORM"));
        running.end();
        login(one, id);
        assertEquals(55, stored(id).maxIdleSeconds());
    }

    @Test
    void isNotLostIfTheSessionHasExpiredHereAndNotElsewhere() {
        fixture.model.timeoutMinutes = 1;
        Sessions three = server("three", NEVER);
        String id = begin(three);
        set(three, id, "x", "1");
        fixture.now.addAndGet(40_000);
        set(two, id, "y", "2");
        two.stop();
        fixture.now.addAndGet(40_000);
        three.sweep();
        three.stop();
        assertEquals(Set.of("a", "x", "y"), names(id));
        assertEquals(fixture.now.get() - 40_000, stored(id).lastAccessed());
    }

    /** New sessions on a server; the first is the first one that it will write. */
    private static List<String> beginMany(Sessions server) {
        Map<String, String> ids = new HashMap<>();
        for (int i = 0; i < 8; i++) {
            String id = begin(server);
            ids.put(key(id), id);
        }
        return List.copyOf(ids.values());
    }

    @Test
    void isWrittenIfAnotherSessionCannotBe() {
        Sessions three = server("three", 1);
        List<String> ids = beginMany(three);
        store.fail("write " + key(ids.get(0)));
        ids.forEach(id -> set(three, id, "x", "1"));
        Deadline.await(
                "all others are written",
                SOON,
                () -> ids.stream().skip(1).allMatch(id -> names(id).contains("x")));
        assertEquals(Set.of("a"), names(ids.get(0)));
        store.fail(null);
        Deadline.await("it is tried again", SOON, () -> names(ids.get(0)).contains("x"));
        three.stop();
    }

    /** Cannot be serialized, for a reason that nobody expects. */
    private static final class Bomb implements Serializable {

        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) {
            throw new AssertionError("as the test wants");
        }
    }

    @Test
    void isWrittenAtTheStopIfAnotherSessionCannotBe() {
        List<String> ids = beginMany(one);
        set(one, ids.get(0), "x", new Bomb());
        ids.stream().skip(1).forEach(id -> set(one, id, "x", "1"));
        one.stop();
        assertTrue(ids.stream().skip(1).allMatch(id -> names(id).contains("x")));
        assertEquals(0, one.count());
    }

    @Test
    void doesNotKeepOtherSessionsFromExpiring() {
        fixture.model.timeoutMinutes = 1;
        Sessions three = server("three", NEVER);
        Sessions four = server("four", NEVER);
        String id = begin(three);
        String other = begin(four);
        four.stop();
        fixture.now.addAndGet(200_000);
        store.fail("read " + key(id));
        three.sweep();
        assertNull(store.sessions.read(key(other)));
    }

    @Test
    void doesNotReviveASessionThatIsBeingEnded() {
        fixture.model.timeoutMinutes = 1;
        Sessions three = server("three", NEVER);
        String id = begin(three);
        RequestSession request = request(three, id);
        HttpSession session = session(request);
        SessionRecord ended = SessionWriter.ended(stored(id));
        assertTrue(store.sessions.write(ended));
        fixture.now.addAndGet(100_000);
        request.end();
        three.stop();
        assertEquals(ended.version() + 1, stored(id).version());
        assertThrows(IllegalStateException.class, () -> session.getAttribute("a"));
    }
}
