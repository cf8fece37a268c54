package io.millrace.servlet.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.session.store.MemorySessionStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.http.HttpSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A session in a group … */
final class SessionGroupTest {

    private final SessionFixture fixture = new SessionFixture();

    /** Keeps account of its sessions. */
    private static final class Recorded implements SessionGroup {

        private final List<HttpSession> sessions = new ArrayList<>();
        private boolean ended;

        @Override
        public boolean isOver(int idleSeconds) {
            return ended;
        }

        @Override
        public boolean add(HttpSession session) {
            return !ended && sessions.add(session);
        }

        @Override
        public void left(HttpSession session) {
            assertTrue(sessions.remove(session), "was in it");
        }

        @Override
        public void end() {
            ended = true;
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static LiveSession begun(Sessions sessions) {
        LiveSession session = sessions.create(null);
        session.life().leave(sessions.now());
        return session;
    }

    @Test
    void leavesItWhenItExpiresAndEndsItWhenTheApplicationEndsIt() {
        Sessions sessions = fixture.sessions();
        Recorded group = new Recorded();
        LiveSession idle = begun(sessions);
        LiveSession busy = begun(sessions);
        busy.setMaxInactiveInterval(-1);
        assertTrue(idle.membership().join(group));
        assertTrue(busy.membership().join(group));
        fixture.now.addAndGet(24 * 3_600_000);
        sessions.sweep();
        assertEquals(List.of(busy), group.sessions);
        assertFalse(group.ended);
        assertFalse(idle.membership().join(group), "too late");
        busy.invalidate();
        assertTrue(group.ended);
        assertEquals(List.of(), group.sessions);
    }

    @Test
    void leavesItForAnother() {
        Recorded first = new Recorded();
        Recorded second = new Recorded();
        LiveSession session = begun(fixture.sessions());
        assertTrue(session.membership().join(first));
        assertTrue(session.membership().join(first));
        assertEquals(1, first.sessions.size());
        assertTrue(session.membership().join(second));
        assertEquals(List.of(), first.sessions);
        first.end();
        assertFalse(session.membership().join(first), "it has ended");
        assertEquals(List.of(), second.sessions);
    }

    @Test
    void staysInMemoryUntilItEndsAndLeavesWhenTheApplicationStops() {
        SessionSettings settings = SessionSettings.DEFAULT
                .keptOverRestart(new MemorySessionStore())
                .with(SessionSettings.MAX_IDLE_SWAP, 0);
        Sessions sessions = fixture.sessions(settings);
        Recorded group = new Recorded();
        LiveSession grouped = begun(sessions);
        LiveSession other = begun(sessions);
        grouped.membership().join(group);
        fixture.now.addAndGet(60_000);
        sessions.sweep();
        assertSame(grouped, sessions.enter(grouped.getId()));
        assertNotEquals(other, Objects.requireNonNull(sessions.enter(other.getId())), "swapped out");
        sessions.stop();
        assertEquals(List.of(), group.sessions);
        assertFalse(group.ended);
    }
}
