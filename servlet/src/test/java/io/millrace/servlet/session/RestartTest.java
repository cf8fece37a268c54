package io.millrace.servlet.session;

import static io.millrace.servlet.session.SessionFixture.made;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.servlet.session.SessionFixture.Exchange;
import io.millrace.servlet.session.store.FileSessionStore;
import io.millrace.servlet.session.store.MemorySessionStore;
import io.millrace.servlet.session.store.SessionStore;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpSessionActivationListener;
import javax.servlet.http.HttpSessionBindingEvent;
import javax.servlet.http.HttpSessionBindingListener;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions that are kept in a store while nobody uses them … */
final class RestartTest {

    private static final List<String> TOLD = new ArrayList<>();

    private final SessionFixture fixture = new SessionFixture();
    private final MemorySessionStore store = new MemorySessionStore();

    @AfterEach
    void close() {
        fixture.close();
        TOLD.clear();
    }

    private static SessionSettings keptIn(SessionStore store) {
        return SessionSettings.DEFAULT.keptOverRestart(store);
    }

    private Sessions started() {
        return fixture.sessions(keptIn(store));
    }

    private static String begin(Sessions sessions, String name, Object value) {
        RequestSession request = sessions.of(new Exchange());
        HttpSession session = made(request);
        session.setAttribute(name, value);
        request.end();
        return session.getId();
    }

    private static HttpSession found(Sessions sessions, String id) {
        HttpSession session = sessions.of(new Exchange().cookie(id)).get(false);
        assertNotNull(session);
        return session;
    }

    @Test
    void areThereAfterTheNextStart(@TempDir Path directory) throws IOException {
        Sessions before = fixture.sessions(keptIn(new FileSessionStore(directory)));
        String id = begin(before, "a", "b");
        String other = begin(before, "c", "d");
        long created = found(before, id).getCreationTime();
        before.stop();
        Sessions after = fixture.sessions(keptIn(new FileSessionStore(directory)));
        HttpSession session = found(after, id);
        assertEquals("b", session.getAttribute("a"));
        assertEquals(created, session.getCreationTime());
        assertSame(session, found(after, id));
        assertEquals("d", found(after, other).getAttribute("c"));
        session.invalidate();
        after.stop();
        Sessions last = fixture.sessions(keptIn(new FileSessionStore(directory)));
        assertNull(last.of(new Exchange().cookie(id)).get(false), "it was ended");
        assertEquals("d", found(last, other).getAttribute("c"));
    }

    @Test
    void doNotNotifyListenersOfDestructionOrUnbinding() {
        Sessions before = started();
        before.addListener(new HttpSessionListener() {
            @Override
            public void sessionDestroyed(HttpSessionEvent event) {
                TOLD.add("destroyed");
            }
        });
        String id = begin(before, "a", new Traveller("x"));
        TOLD.clear();
        before.stop();
        assertEquals(List.of("x passivates"), TOLD);
        HttpSession session = found(started(), id);
        assertEquals(List.of("x passivates"), TOLD, "nobody has asked for it");
        Object traveller = session.getAttribute("a");
        assertSame(traveller, session.getAttribute("a"));
        assertEquals(List.of("x passivates", "x activates in " + id), TOLD);
    }

    @Test
    void expireWhileTheServerIsStopped() {
        Sessions before = started();
        String id = begin(before, "a", new Traveller("x"));
        before.stop();
        TOLD.clear();
        fixture.now.addAndGet(Duration.ofMinutes(30).toMillis());
        Sessions after = started();
        List<Object> seen = new ArrayList<>();
        after.addListener(new HttpSessionListener() {
            @Override
            public void sessionDestroyed(HttpSessionEvent event) {
                seen.add(event.getSession().getId());
            }
        });
        assertNull(after.of(new Exchange().cookie(id)).get(false));
        after.sweep();
        assertEquals(List.of(id), seen);
        assertEquals(List.of("x activates in " + id, "x unbound"), TOLD);
        assertEquals(0, store.size());
    }

    @Test
    void leaveBehindWhatIsNotSerializable() {
        Sessions before = started();
        String id = begin(before, "a", new Object());
        found(before, id).setAttribute("b", "c");
        before.stop();
        HttpSession session = found(started(), id);
        assertNull(session.getAttribute("a"));
        assertEquals("c", session.getAttribute("b"));
    }

    @Test
    void leaveBehindWhatTheOperatorDoesNotWant() {
        SessionSettings picky = keptIn(store)
                .with(SessionSettings.SESSION_ATTRIBUTE_NAME_FILTER, Pattern.compile("a|b"))
                .with(SessionSettings.SESSION_ATTRIBUTE_VALUE_CLASS_NAME_FILTER, Pattern.compile("java\\.lang\\..*"));
        Sessions before = fixture.sessions(picky);
        String id = begin(before, "a", "text");
        found(before, id).setAttribute("b", new ArrayList<>());
        found(before, id).setAttribute("c", "text");
        before.stop();
        HttpSession session = found(fixture.sessions(picky), id);
        assertEquals(List.of("a"), java.util.Collections.list(session.getAttributeNames()));
    }

    @Test
    void forgetWhoLoggedInUnlessTheyAreToKeepIt() {
        SharedSessionsTest.User eve = new SharedSessionsTest.User("eve");
        for (boolean kept : new boolean[] {false, true}) {
            SessionSettings settings =
                    keptIn(new MemorySessionStore()).with(SessionSettings.PERSIST_AUTHENTICATION, kept);
            Sessions before = fixture.sessions(settings);
            RequestSession request = before.of(new Exchange());
            String id = made(request).getId();
            request.login(new SessionLogin(eve, "BASIC"));
            request.end();
            before.stop();
            SessionLogin login =
                    fixture.sessions(settings).of(new Exchange().cookie(id)).login();
            assertEquals(kept, login != null);
        }
    }

    @Test
    void leaveMemoryWhenTheyWereIdleForLong() {
        Sessions sessions = fixture.sessions(keptIn(store).with(SessionSettings.MAX_IDLE_SWAP, 60));
        String id = begin(sessions, "a", new Traveller("x"));
        HttpSession old = found(sessions, id);
        fixture.now.addAndGet(Duration.ofMinutes(2).toMillis());
        sessions.sweep();
        assertEquals(1, sessions.count(), "a request still uses it");
        sessions.of(new Exchange().cookie(id)).end();
        String idle = begin(sessions, "a", new Traveller("y"));
        TOLD.clear();
        fixture.now.addAndGet(Duration.ofMinutes(1).toMillis());
        sessions.sweep();
        assertEquals(1, sessions.count());
        assertEquals(1, store.size());
        assertEquals(List.of("y passivates"), TOLD);
        HttpSession back = found(sessions, idle);
        assertNotSame(old, back);
        assertEquals("y", String.valueOf(back.getAttribute("a")));
        assertEquals(2, sessions.count());
        assertEquals(1, store.size(), "its copy stays, against a crash");
        found(sessions, id);
    }

    @Test
    void areOutOfReachForWhoHoldsTheirOldObject() {
        Sessions sessions = fixture.sessions(keptIn(store).with(SessionSettings.MAX_IDLE_SWAP, 0));
        RequestSession request = sessions.of(new Exchange());
        HttpSession session = made(request);
        request.end();
        sessions.sweep();
        assertEquals(0, sessions.count());
        assertThrows(IllegalStateException.class, () -> session.setAttribute("a", "lost"));
    }

    @Test
    void areCopiedToTheStoreAgainstACrash() {
        SessionSettings settings = keptIn(store).with(SessionSettings.MAX_IDLE_BACKUP, 10);
        Sessions crashed = fixture.sessions(settings);
        String id = begin(crashed, "a", "b");
        crashed.sweep();
        assertEquals(0, store.size());
        fixture.now.addAndGet(10_000);
        crashed.sweep();
        assertEquals(1, store.size());
        assertEquals(1, crashed.count());
        assertEquals("b", found(fixture.sessions(settings), id).getAttribute("a"));
    }

    /** Nothing but a later copy, or its end, takes a session's copy away. */
    @Test
    void surviveCrashesHoweverOftenTheyAreRead() {
        SessionSettings settings = keptIn(store).with(SessionSettings.MAX_IDLE_BACKUP, 1);
        Sessions first = fixture.sessions(settings);
        String id = begin(first, "a", "1");
        fixture.now.addAndGet(1_000);
        first.sweep();
        for (int crash = 0; crash < 3; crash++) {
            RequestSession request = fixture.sessions(settings).of(new Exchange().cookie(id));
            HttpSession session = request.get(false);
            assertNotNull(session, "after crash " + crash);
            assertEquals("1", session.getAttribute("a"));
            session.setAttribute("a", "lost");
            request.end();
        }
        Sessions stopped = fixture.sessions(settings);
        found(stopped, id).setAttribute("a", "2");
        stopped.stop();
        assertEquals("2", found(fixture.sessions(settings), id).getAttribute("a"));
        Sessions last = fixture.sessions(settings);
        found(last, id).invalidate();
        assertNull(fixture.sessions(settings).of(new Exchange().cookie(id)).get(false));
    }

    @Test
    void areRewrittenIfTheStoredCopyExpiresWhileTheyAreUsed() {
        SessionSettings settings = keptIn(store).with(SessionSettings.MAX_IDLE_BACKUP, 3600);
        Sessions before = fixture.sessions(settings);
        String id = begin(before, "a", "1");
        before.stop();
        Sessions crashed = fixture.sessions(settings);
        fixture.now.addAndGet(Duration.ofMinutes(20).toMillis());
        crashed.of(new Exchange().cookie(id)).end();
        fixture.now.addAndGet(Duration.ofMinutes(20).toMillis());
        crashed.of(new Exchange().cookie(id)).end();
        crashed.sweep();
        assertEquals("1", found(fixture.sessions(settings), id).getAttribute("a"));
    }

    /** An id that was planted before a login must not lead to the session after a crash either. */
    @Test
    void areNotFoundByTheirOldIdAfterACrash() {
        SessionSettings settings = keptIn(store).with(SessionSettings.MAX_IDLE_BACKUP, 0);
        Sessions sessions = fixture.sessions(settings);
        String planted = begin(sessions, "a", "b");
        sessions.sweep();
        RequestSession login = sessions.of(new Exchange().cookie(planted));
        String id = login.changeId();
        login.end();
        assertNull(sessions.of(new Exchange().cookie(planted)).get(false));
        Sessions after = fixture.sessions(settings);
        assertNull(after.of(new Exchange().cookie(planted)).get(false));
        assertEquals("b", found(after, id).getAttribute("a"));
    }

    /** By a request that never asks for its session: for a file, say. */
    @Test
    void liveOnInTheStoreWhileRequestsComeThatDoNotAskForThem() {
        Sessions sessions = fixture.sessions(keptIn(store).with(SessionSettings.MAX_IDLE_SWAP, 0));
        String id = begin(sessions, "a", "b");
        sessions.sweep();
        assertEquals(0, sessions.count());
        for (int i = 0; i < 3; i++) {
            fixture.now.addAndGet(Duration.ofMinutes(20).toMillis());
            sessions.access(SessionFixture.head("x=y; JSESSIONID=" + id));
            sessions.accessInStore(SessionFixture.head("x=y; JSESSIONID=" + id));
            sessions.sweep();
            assertEquals(1, store.size());
        }
        fixture.now.addAndGet(Duration.ofMinutes(30).toMillis());
        sessions.accessInStore(SessionFixture.head("JSESSIONID=" + id));
        assertNull(sessions.of(new Exchange().cookie(id)).get(false), "that came too late");
    }

    @Test
    void leaveNoCopyWhenTheyEnd() {
        Sessions sessions = fixture.sessions(keptIn(store).with(SessionSettings.MAX_IDLE_BACKUP, 0));
        String id = begin(sessions, "a", "b");
        sessions.sweep();
        assertEquals(1, store.size());
        found(sessions, id).invalidate();
        assertEquals(0, store.size());
    }

    /** An object that wants to know where it goes. */
    private static final class Traveller
            implements HttpSessionActivationListener, HttpSessionBindingListener, Serializable {

        private static final long serialVersionUID = 1L;

        private final String name;

        Traveller(String name) {
            this.name = name;
        }

        @Override
        public void sessionWillPassivate(HttpSessionEvent event) {
            TOLD.add(name + " passivates");
        }

        @Override
        public void sessionDidActivate(HttpSessionEvent event) {
            TOLD.add(name + " activates in " + event.getSession().getId());
        }

        @Override
        public void valueUnbound(HttpSessionBindingEvent event) {
            TOLD.add(name + " unbound");
        }

        @Override
        public void valueBound(HttpSessionBindingEvent event) {}

        @Override
        public String toString() {
            return name;
        }
    }
}
