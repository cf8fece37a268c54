package io.millrace.servlet.session;

import static io.millrace.servlet.session.SessionFixture.made;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.race.FailingTimers;
import io.millrace.servlet.session.SessionFixture.Exchange;
import io.millrace.testkit.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions … */
final class SessionsTest {

    private final SessionFixture fixture = new SessionFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void endsAfterItsIdleTime() {
        fixture.model.timeoutMinutes = 1;
        Sessions sessions = fixture.sessions();
        List<String> told = new ArrayList<>();
        sessions.addListener(new HttpSessionListener() {
            @Override
            public void sessionCreated(HttpSessionEvent event) {
                told.add("created");
            }

            @Override
            public void sessionDestroyed(HttpSessionEvent event) {
                told.add("destroyed");
            }
        });
        RequestSession first = sessions.of(new Exchange());
        String id = made(first).getId();
        fixture.now.addAndGet(120_000);
        sessions.sweep();
        assertEquals(1, sessions.count(), "still in use");
        first.end();
        fixture.now.addAndGet(59_999);
        sessions.of(new Exchange().cookie(id)).end(); // never asked for it, and used it all the same
        fixture.now.addAndGet(59_999);
        sessions.sweep();
        assertEquals(1, sessions.count());
        fixture.now.addAndGet(1);
        sessions.sweep();
        assertEquals(0, sessions.count());
        assertEquals(List.of("created", "destroyed"), told);
    }

    @Test
    void areCounted() {
        fixture.model.timeoutMinutes = 1;
        Sessions sessions = fixture.sessions(SessionSettings.DEFAULT.with(SessionSettings.MAX_ACTIVE_SESSIONS, 3));
        RequestSession first = sessions.of(new Exchange());
        HttpSession ended = made(first);
        RequestSession second = sessions.of(new Exchange());
        String byOperator = made(second).getId();
        RequestSession third = sessions.of(new Exchange());
        made(third);
        assertThrows(IllegalStateException.class, () -> made(sessions.of(new Exchange())));
        List.of(first, second, third).forEach(RequestSession::end);
        fixture.now.addAndGet(2_000);
        ended.invalidate();
        assertTrue(sessions.end(byOperator + ".route"));
        assertFalse(sessions.end(byOperator));
        fixture.now.addAndGet(58_000);
        sessions.sweep();
        SessionStatistics counted = sessions.statistics();
        assertEquals(
                List.of(3L, 3L, 1L, 1L, 3L, 60_000L, 64_000L / 3),
                List.of(
                        counted.created(),
                        counted.ended(),
                        counted.expired(),
                        counted.rejected(),
                        (long) counted.most(),
                        counted.longestMillis(),
                        counted.meanMillis()));
    }

    /** Servlet 3.1, 7.6: a request is part of a session whether it asks for it or not. */
    @Test
    void liveOnWhileRequestsComeThatDoNotAskForThem() {
        Sessions sessions = fixture.sessions();
        RequestSession request = sessions.of(new Exchange());
        String id = made(request).getId();
        request.end();
        for (String field : List.of(
                "JSESSIONID=" + id,
                "a=b; JSESSIONID=" + id + "; c=d",
                "JSESSIONID=other; JSESSIONID=\"" + id + "\"",
                "xJSESSIONID=x;JSESSIONID=" + id + ".route")) {
            fixture.now.addAndGet(Duration.ofMinutes(29).toMillis());
            sessions.access(SessionFixture.head(field));
            sessions.sweep();
            assertEquals(1, sessions.count(), field);
        }
        fixture.now.addAndGet(Duration.ofMinutes(29).toMillis());
        sessions.access(SessionFixture.head("xJSESSIONID=" + id + "; JSESSIONID=; JSESSIONIDs=" + id));
        fixture.now.addAndGet(Duration.ofMinutes(1).toMillis());
        sessions.sweep();
        assertEquals(0, sessions.count());
    }

    @Test
    void endsAtOnceWhenARequestComesTooLate() {
        fixture.model.timeoutMinutes = 1;
        Sessions sessions = fixture.sessions();
        RequestSession first = sessions.of(new Exchange());
        HttpSession session = made(first);
        first.end();
        fixture.now.addAndGet(60_000);
        assertNull(sessions.of(new Exchange().cookie(session.getId())).get(false));
        assertEquals(0, sessions.count());
        assertThrows(IllegalStateException.class, () -> session.getAttribute("a"));
    }

    @Test
    void answersNothingOnceInvalidated() {
        Sessions sessions = fixture.sessions();
        RequestSession request = sessions.of(new Exchange());
        HttpSession session = made(request);
        session.invalidate();
        for (Runnable call : List.<Runnable>of(
                () -> session.getAttribute("a"),
                () -> session.setAttribute("a", "b"),
                () -> session.removeAttribute("a"),
                session::getAttributeNames,
                session::getCreationTime,
                session::getLastAccessedTime,
                session::isNew,
                session::invalidate)) {
            assertThrows(IllegalStateException.class, call::run);
        }
        assertNotNull(session.getId());
        assertNull(request.get(false));
        assertNotEquals(session, made(request));
    }

    @Test
    void letsListenersReadTheSessionThatEnds() {
        Sessions sessions = fixture.sessions();
        List<Object> seen = new ArrayList<>();
        sessions.addListener(new HttpSessionListener() {
            @Override
            public void sessionDestroyed(HttpSessionEvent event) {
                seen.add(event.getSession().getAttribute("a"));
                event.getSession().invalidate(); // changes nothing: it is being done
            }
        });
        HttpSession session = made(sessions.of(new Exchange()));
        session.setAttribute("a", "b");
        sessions.stop();
        assertEquals(List.of("b"), seen);
        assertEquals(0, sessions.count());
    }

    @Test
    void listsItsAttributes() {
        HttpSession session = made(fixture.sessions().of(new Exchange()));
        session.setAttribute("a", 1);
        session.setAttribute("b", 2);
        assertEquals(Set.of("a", "b"), Set.copyOf(Collections.list(session.getAttributeNames())));
        session.removeAttribute("a");
        assertNull(session.getAttribute("a"));
        assertEquals(2, session.getAttribute("b"));
    }

    @Test
    void refusesMoreThanItsLimit() {
        Sessions sessions = fixture.sessions(SessionSettings.DEFAULT.with(SessionSettings.MAX_ACTIVE_SESSIONS, 1));
        HttpSession first = made(sessions.of(new Exchange()));
        IllegalStateException refused = assertThrows(
                IllegalStateException.class, () -> sessions.of(new Exchange()).get(true));
        assertTrue(String.valueOf(refused.getMessage()).contains("maxActiveSessions is 1"), refused.getMessage());
        first.invalidate();
        made(sessions.of(new Exchange()));
    }

    @Test
    void neverExpireIfTheTimeoutIsNotPositive() {
        for (int minutes : new int[] {0, -1}) {
            fixture.model.timeoutMinutes = minutes;
            Sessions sessions = fixture.sessions();
            RequestSession request = sessions.of(new Exchange());
            assertEquals(-1, made(request).getMaxInactiveInterval());
            request.end();
            fixture.now.addAndGet(1_000_000_000_000L);
            sessions.sweep();
            assertEquals(1, sessions.count());
        }
    }

    @Test
    void reportTheEndOfThePreviousRequestAsLastAccess() {
        Sessions sessions = fixture.sessions();
        RequestSession first = sessions.of(new Exchange());
        HttpSession session = made(first);
        long created = fixture.now.get();
        assertEquals(created, session.getLastAccessedTime());
        fixture.now.addAndGet(5_000);
        assertEquals(created, session.getLastAccessedTime(), "the first request still runs");
        first.end();
        fixture.now.addAndGet(5_000);
        RequestSession second = sessions.of(new Exchange().cookie(session.getId()));
        assertEquals(session, second.get(false));
        assertEquals(created + 5_000, session.getLastAccessedTime());
        assertEquals(created, session.getCreationTime());
    }

    @Test
    void leaveARequestWhoseSessionAnotherEndedWithADefinedOutcome() {
        Sessions sessions = fixture.sessions();
        RequestSession first = sessions.of(new Exchange());
        HttpSession session = made(first);
        RequestSession second = sessions.of(new Exchange().cookie(session.getId()));
        second.get(false);
        session.invalidate();
        assertThrows(IllegalStateException.class, () -> session.setAttribute("a", "b"));
        assertNull(second.get(false));
        assertFalse(second.isRequestedIdValid());
        assertNotEquals(session.getId(), made(second).getId());
        first.end();
        second.end();
        assertEquals(1, sessions.count());
    }

    @Test
    void refuseWhatCantBeStoredIfTheApplicationIsDistributable() {
        HttpSession session = made(fixture.distributable().of(new Exchange()));
        session.setAttribute("a", "text");
        assertThrows(IllegalArgumentException.class, () -> session.setAttribute("b", new Object()));
        assertNull(session.getAttribute("b"));
        session.setAttribute("a", null);
    }

    @Test
    void takeNullForNoName() {
        HttpSession session = made(fixture.sessions().of(new Exchange()));
        assertThrows(IllegalArgumentException.class, () -> session.setAttribute(null, "a"));
        assertNull(session.getAttribute(null));
        session.removeAttribute(null);
    }

    @Test
    void endsAlthoughNobodyGotItForLackOfATimer() {
        try (SessionFixture failing = new SessionFixture(FailingTimers.open())) {
            Sessions sessions = failing.sessions();
            assertThrows(
                    OutOfMemoryError.class, () -> sessions.of(new Exchange()).get(true));
            failing.now.addAndGet(Duration.ofDays(1).toMillis());
            sessions.sweep();
            assertEquals(0, sessions.count());
        }
    }

    @Test
    void looksForIdleOnesAgainAfterAnErrorOfTheWorkers() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch swept = new CountDownLatch(1);
        SessionSweep sweep = new SessionSweep(
                fixture.server(task -> {
                    if (attempts.getAndIncrement() == 0) {
                        throw new OutOfMemoryError("planted by the test");
                    }
                    task.run();
                }),
                Duration.ofMillis(1),
                swept::countDown);
        sweep.arm();
        Deadline.await(swept);
    }
}
