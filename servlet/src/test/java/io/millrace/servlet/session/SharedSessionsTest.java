package io.millrace.servlet.session;

import static io.millrace.servlet.session.SessionFixture.made;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.session.SessionFixture.Exchange;
import io.millrace.servlet.session.store.FaultyStore;
import io.millrace.servlet.session.store.MemorySessionStore;
import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions of two servers with one store … */
final class SharedSessionsTest {

    private final SessionFixture fixture = new SessionFixture();
    private final MemorySessionStore store = new MemorySessionStore();
    private final Sessions one = server(store);
    private final Sessions two = server(store);
    private final List<String> told = new ArrayList<>();

    @AfterEach
    void close() {
        fixture.close();
    }

    private Sessions server(SessionStore shared) {
        return fixture.sessions(SessionSettings.DEFAULT.shared(shared));
    }

    private static RequestSession request(Sessions server, String id) {
        return server.of(new Exchange().cookie(id));
    }

    private static HttpSession session(RequestSession request) {
        HttpSession session = request.get(false);
        assertNotNull(session);
        return session;
    }

    private static String begin(Sessions server, String name, Object value) {
        RequestSession request = server.of(new Exchange());
        HttpSession session = made(request);
        session.setAttribute(name, value);
        request.end();
        return session.getId();
    }

    @Test
    void areTheSameOnBoth() {
        RequestSession first = one.of(new Exchange());
        HttpSession made = made(first);
        made.setAttribute("a", "b");
        made.setMaxInactiveInterval(77);
        first.end();
        RequestSession second = request(two, made.getId());
        HttpSession there = session(second);
        assertEquals("b", there.getAttribute("a"));
        assertEquals(77, there.getMaxInactiveInterval());
        assertEquals(made.getCreationTime(), there.getCreationTime());
        assertFalse(there.isNew());
        there.removeAttribute("a");
        there.setAttribute("c", "d");
        second.end();
        HttpSession back = session(request(one, made.getId()));
        assertNull(back.getAttribute("a"));
        assertEquals("d", back.getAttribute("c"));
        assertEquals(0, two.count(), "no server keeps what it does not use");
    }

    @Test
    void keepObjectsThatWereChangedInPlace() {
        String id = begin(one, "list", new ArrayList<>(List.of("a")));
        RequestSession second = request(two, id);
        list(second).add("b");
        second.end();
        RequestSession third = request(one, id);
        assertEquals(List.of("a", "b"), list(third));
        long version = version(id);
        third.end();
        assertEquals(version, version(id), "reading writes nothing");
    }

    @SuppressWarnings("unchecked")
    private static List<String> list(RequestSession request) {
        return (List<String>) session(request).getAttribute("list");
    }

    private long version(String id) {
        SessionRecord record = store.read(id);
        assertNotNull(record);
        return record.version();
    }

    @Test
    void failTheRequestThatAsksForAnObjectWhoseClassThisVersionLacks() {
        String id = begin(one, "list", new ArrayList<>(List.of("a")));
        SessionRecord record = store.read(id);
        assertNotNull(record);
        byte[] bytes = Objects.requireNonNull(record.attributes().get("list"));
        String unknown =
                new String(bytes, StandardCharsets.ISO_8859_1).replace("java.util.ArrayList", "java.util.LaterList");
        byte[] changed = unknown.getBytes(StandardCharsets.ISO_8859_1);
        assertTrue(store.write(record.withChanges(Map.of("list", changed), List.of())));
        RequestSession request = request(two, id);
        Exception failure = assertThrows(SessionUnavailableException.class, () -> list(request));
        assertTrue(String.valueOf(failure.getMessage()).contains("java.util.LaterList"), failure.getMessage());
        session(request).setAttribute("other", "b");
        request.end();
        SessionRecord after = store.read(id);
        assertNotNull(after);
        assertArrayEquals(changed, after.attributes().get("list"), "for those who have it");
    }

    @Test
    void areSharedOnlyIfTheApplicationIsDistributable() {
        SessionSettings settings = SessionSettings.DEFAULT.sharedIfDistributable(store, new MemorySessionStore());
        assertEquals(SessionSettings.Keeping.MEMORY, settings.of(false).keeping());
        assertEquals(SessionSettings.Keeping.SHARED, settings.of(true).keeping());
    }

    @Test
    void keepTheChangesOfBothIfTheyConcernDifferentAttributes() {
        String id = begin(one, "a", "1");
        RequestSession here = request(one, id);
        RequestSession there = request(two, id);
        session(here).setAttribute("b", "here");
        session(there).setAttribute("c", "there");
        session(there).removeAttribute("a");
        here.end();
        there.end();
        HttpSession after = session(request(one, id));
        assertNull(after.getAttribute("a"));
        assertEquals("here", after.getAttribute("b"));
        assertEquals("there", after.getAttribute("c"));
    }

    @Test
    void areOneObjectForRequestsThatMeetOnOneServer() {
        String id = begin(one, "a", new ArrayList<>(List.of("x")));
        RequestSession first = request(one, id);
        RequestSession second = request(one, id);
        assertSame(session(first), session(second));
        assertSame(session(first).getAttribute("a"), session(second).getAttribute("a"));
        first.end();
        session(second).setAttribute("b", "late");
        second.end();
        assertEquals("late", session(request(two, id)).getAttribute("b"));
    }

    @Test
    void showARequestWhatTheOtherServerDidWhileAnotherWasRunningHere() {
        String id = begin(one, "a", "1");
        RequestSession running = request(one, id);
        session(running);
        RequestSession elsewhere = request(two, id);
        session(elsewhere).setAttribute("a", "2");
        elsewhere.end();
        assertEquals("2", session(request(one, id)).getAttribute("a"));
        running.end();
        assertEquals("2", session(request(two, id)).getAttribute("a"));
    }

    @Test
    void endOnBothAndTellTheListenersOnce() {
        one.addListener(listener("one"));
        two.addListener(listener("two"));
        String id = begin(one, "a", "b");
        RequestSession here = request(one, id);
        RequestSession there = request(two, id);
        session(here);
        HttpSession dangling = session(there);
        session(here).invalidate();
        dangling.setAttribute("late", "x");
        there.end();
        here.end();
        assertNull(request(two, id).get(false));
        assertThrows(IllegalStateException.class, () -> dangling.getAttribute("a"));
        assertEquals(List.of("one destroyed b"), told);
        assertEquals(0, store.size());
    }

    @Test
    void expireOnceOnWhicheverServerLooks() {
        one.addListener(listener("one"));
        two.addListener(listener("two"));
        fixture.model.timeoutMinutes = 1;
        Sessions three = server(store);
        String id = begin(three, "a", "b");
        fixture.now.addAndGet(30_000);
        request(two, id).end();
        fixture.now.addAndGet(59_999);
        one.sweep();
        assertEquals(1, store.size(), "it was used");
        fixture.now.addAndGet(60_000);
        one.sweep();
        two.sweep();
        assertEquals(List.of("one destroyed b"), told);
        assertNull(request(two, id).get(false));
    }

    @Test
    void getANewIdOnBoth() {
        String id = begin(one, "a", "b");
        RequestSession request = request(one, id);
        String changed = request.changeId();
        request.end();
        assertNotEquals(id, changed);
        assertNull(request(two, id).get(false));
        assertEquals("b", session(request(two, changed)).getAttribute("a"));
    }

    /** Somebody who logs in. */
    record User(String getName) implements Principal, java.io.Serializable {
        @Override
        public String getName() {
            return getName;
        }
    }

    @Test
    void takeTheLoginAlong() {
        String id = begin(one, "a", "b");
        RequestSession request = request(one, id);
        request.login(new SessionLogin(new User("eve"), "FORM"));
        request.end();
        RequestSession there = request(two, id);
        SessionLogin login = there.login();
        assertNotNull(login);
        assertEquals("eve", login.principal().getName());
        there.login(null);
        there.end();
        assertNull(request(one, id).login());
    }

    @Test
    void loseOnlyWhatCantBeSerialized() {
        RequestSession first = one.of(new Exchange());
        HttpSession made = made(first);
        made.setAttribute("a", "b");
        made.setAttribute("thread", new Object());
        first.end();
        HttpSession there = session(request(two, made.getId()));
        assertEquals(Set.of("a"), Set.copyOf(java.util.Collections.list(there.getAttributeNames())));
    }

    @Test
    void countRightWhileTwoServersWriteAtOnce() throws Exception {
        String id = begin(one, "unrelated", "x");
        AtomicInteger names = new AtomicInteger();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            Sessions server = i % 2 == 0 ? one : two;
            threads[i] = new Thread(() -> {
                for (int round = 0; round < 25; round++) {
                    RequestSession request = request(server, id);
                    session(request).setAttribute("n" + names.incrementAndGet(), "x");
                    request.end();
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        HttpSession after = session(request(one, id));
        assertEquals(101, java.util.Collections.list(after.getAttributeNames()).size());
    }

    /** A store that is down. */
    private static class Broken implements SessionStore {

        @Override
        public @Nullable SessionRecord read(String key) throws IOException {
            throw new IOException("down");
        }

        @Override
        public boolean write(SessionRecord session) throws IOException {
            throw new IOException("down");
        }

        @Override
        public boolean touch(String key, long lastAccessed) throws IOException {
            throw new IOException("down");
        }

        @Override
        public boolean remove(String key) throws IOException {
            throw new IOException("down");
        }

        @Override
        public List<SessionRecord> takeExpired(long now, int most) throws IOException {
            throw new IOException("down");
        }

        @Override
        public int size() throws IOException {
            throw new IOException("down");
        }

        @Override
        public List<String> keys(int most) throws IOException {
            throw new IOException("down");
        }
    }

    @Test
    void failTheRequestsThatNeedThemIfTheStoreIsDown() {
        Sessions sessions = server(new Broken());
        RequestSession request = request(sessions, "k");
        assertThrows(UncheckedIOException.class, () -> request.get(false));
        assertThrows(UncheckedIOException.class, () -> request.get(true), "no new one in place of one that is there");
        request.end();
        RequestSession indifferent = request(sessions, "k");
        indifferent.end();
        RequestSession first = sessions.of(new Exchange());
        made(first).setAttribute("a", "b");
        assertThrows(SessionUnavailableException.class, first::end, "so that the response can say so");
        assertEquals(
                0, sessions.count(), "a new one that cannot be stored is lost; this server does not keep it either");
        sessions.sweep();
        assertTrue(sessions.hasAny(), "nobody knows");
    }

    @Test
    void areNotInUseForEverAfterAnErrorOfTheStore() {
        Sessions sessions = server(new Broken() {
            @Override
            public boolean write(SessionRecord session) {
                throw new OutOfMemoryError("planted by the test");
            }
        });
        RequestSession request = sessions.of(new Exchange());
        made(request);
        assertEquals(1, sessions.count());
        assertThrows(OutOfMemoryError.class, request::end);
        assertEquals(0, sessions.count());
    }

    @Test
    void stayEndedAfterALogOutDuringAnOutage() throws IOException {
        FaultyStore faulty = new FaultyStore();
        Sessions sessions = server(faulty);
        sessions.addListener(listener("one"));
        String id = begin(sessions, "a", "b");
        faulty.fail("remove");
        RequestSession leaving = request(sessions, id);
        HttpSession session = session(leaving);
        assertThrows(SessionUnavailableException.class, session::invalidate);
        leaving.end();
        assertEquals(List.of("one destroyed b"), told);
        assertThrows(IllegalStateException.class, () -> session.getAttribute("a"));
        assertNull(request(sessions, id).get(false));
        faulty.fail(null);
        assertNull(request(sessions, id).get(false), "the store has it still");
        sessions.stop();
        assertEquals(0, faulty.sessions.size());
    }

    @Test
    void endIfALogOutCannotBeStored() {
        FaultyStore faulty = new FaultyStore();
        Sessions sessions = server(faulty);
        String id = begin(sessions, "a", "b");
        RequestSession login = request(sessions, id);
        login.login(new SessionLogin(new User("eve"), "FORM"));
        login.end();
        RequestSession logout = request(sessions, id);
        logout.login(null);
        faulty.fail("write");
        assertThrows(SessionUnavailableException.class, logout::end);
        faulty.fail(null);
        assertNull(request(sessions, id).get(false));
    }

    @Test
    void keepTheirIdIfTheyCannotBeStoredUnderANewOne() {
        FaultyStore faulty = new FaultyStore();
        Sessions sessions = server(faulty);
        String id = begin(sessions, "a", "b");
        RequestSession request = request(sessions, id);
        assertEquals("b", session(request).getAttribute("a"));
        faulty.fail("write");
        assertThrows(SessionUnavailableException.class, request::changeId);
        faulty.fail(null);
        session(request).setAttribute("c", "d");
        assertEquals(id, session(request).getId());
        request.end();
        assertEquals("d", session(request(sessions, id)).getAttribute("c"));
    }

    @Test
    void areNotReadAgainIfTheyAreUnchanged() {
        FaultyStore faulty = new FaultyStore();
        Sessions sessions = server(faulty);
        String id = begin(sessions, "a", "b");
        for (int i = 0; i < 2; i++) {
            RequestSession request = request(sessions, id);
            assertEquals("b", session(request).getAttribute("a"));
            request.end();
        }
        assertEquals(List.of("write " + id, "readIfNewer " + id, "readIfNewer " + id), faulty.calls());
    }

    @Test
    void areAccessedInTheStoreAtTheEndOfARequestIfThatIsMuchLater() {
        FaultyStore faulty = new FaultyStore();
        Sessions sessions = server(faulty);
        String id = begin(sessions, "a", "b");
        RequestSession request = request(sessions, id);
        session(request).setMaxInactiveInterval(5);
        request.end();
        for (int millis : new int[] {499, 500}) {
            SessionRecord before = faulty.sessions.read(id);
            assertNotNull(before);
            RequestSession next = request(sessions, id);
            assertEquals("b", session(next).getAttribute("a"));
            fixture.now.addAndGet(millis);
            next.end();
            SessionRecord after = faulty.sessions.read(id);
            assertNotNull(after);
            assertEquals(millis == 500, after.lastAccessed() == fixture.now.get(), "a tenth of the timeout later");
            fixture.now.set(after.lastAccessed());
        }
    }

    @Test
    void areAccessedWhenTheyAreReadIfTheStoreRecordsThat() {
        String id = begin(one, "a", "b");
        long begun = fixture.now.get();
        fixture.now.addAndGet(60_000);
        RequestSession request = request(two, id);
        assertEquals(begun, session(request).getLastAccessedTime(), "of the request before");
        fixture.now.addAndGet(999);
        request.end();
        assertEquals(begun + 60_000, lastAccessed(id));
        RequestSession longer = request(two, id);
        assertEquals("b", session(longer).getAttribute("a"));
        fixture.now.addAndGet(1_000);
        longer.end();
        assertEquals(fixture.now.get(), lastAccessed(id));
    }

    private long lastAccessed(String id) {
        SessionRecord record = store.read(id);
        assertNotNull(record);
        return record.lastAccessed();
    }

    @Test
    void areAccessedInTheStoreByRequestsThatDoNotUseThem() {
        FaultyStore faulty = new FaultyStore();
        Sessions sessions = server(faulty);
        String id = begin(sessions, "a", "b");
        sessions.accessInStore(SessionFixture.head("JSESSIONID=" + id));
        assertEquals(List.of("write " + id, "touch " + id), faulty.calls());
    }

    @Test
    void areAccessedInTheStoreWhenItAnswersAgain() throws Exception {
        FaultyStore faulty = new FaultyStore();
        Sessions sessions = server(faulty);
        String id = begin(sessions, "a", "b");
        fixture.now.addAndGet(1000);
        faulty.fail("touch");
        sessions.accessInStore(SessionFixture.head("JSESSIONID=" + id));
        faulty.fail(null);
        SessionRecord record;
        do {
            record = faulty.sessions.read(id);
            assertNotNull(record);
        } while (record.lastAccessed() < fixture.now.get());
    }

    @Test
    void areNotBegunWhileTheStoreIsNotAsked() {
        FaultyStore faulty = new FaultyStore();
        Sessions sessions = server(faulty);
        faulty.down(true);
        for (int i = 0; i < 5; i++) {
            RequestSession request = request(sessions, "k");
            assertThrows(SessionUnavailableException.class, () -> request.get(true));
            request.end();
        }
        RequestSession fresh = sessions.of(new Exchange());
        assertNull(fresh.get(false));
        assertThrows(SessionUnavailableException.class, () -> fresh.get(true));
        assertEquals(0, sessions.count());
        StoreStatistics counted = sessions.storeStatistics();
        assertNotNull(counted);
        assertEquals(6, counted.failedRequests());
        sessions.stop();
    }

    private HttpSessionListener listener(String name) {
        return new HttpSessionListener() {
            @Override
            public void sessionDestroyed(HttpSessionEvent event) {
                told.add(name + " destroyed " + event.getSession().getAttribute("a"));
            }
        };
    }
}
