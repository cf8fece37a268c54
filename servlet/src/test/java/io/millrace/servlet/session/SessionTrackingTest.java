package io.millrace.servlet.session;

import static io.millrace.servlet.session.SessionFixture.made;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.session.SessionFixture.Exchange;
import io.millrace.servlet.settings.SameSite;
import java.util.List;
import java.util.Set;
import javax.servlet.SessionTrackingMode;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients … */
final class SessionTrackingTest {

    private final SessionFixture fixture = new SessionFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void givesAClientItsSessionBack() {
        Sessions sessions = fixture.sessions();
        Exchange first = new Exchange();
        HttpSession made = made(sessions.of(first));
        assertTrue(made.isNew());
        assertTrue(made.getId().matches("[A-Za-z0-9_-]{27}"));
        assertEquals(
                "JSESSIONID=" + made.getId() + "; Path=/app; HttpOnly",
                first.responseHeaders().get("Set-Cookie"));

        RequestSession second = sessions.of(new Exchange().cookie(made.getId()));
        assertSame(made, second.get(false));
        assertFalse(made.isNew());
        assertTrue(second.isRequestedIdValid());
        assertTrue(second.isRequestedIdFromCookie());
        assertFalse(second.isRequestedIdFromUrl());
        assertEquals(1, sessions.count());
    }

    @Test
    void makesNoneForAnUnknownId() {
        Sessions sessions = fixture.sessions();
        RequestSession request = sessions.of(new Exchange().cookie("planted"));
        assertNull(request.get(false));
        assertEquals("planted", request.requestedId());
        assertFalse(request.isRequestedIdValid());
        assertNotEquals("planted", made(request).getId());
    }

    @Test
    void takesTheFirstValidOfSeveralIds() {
        Sessions sessions = fixture.sessions();
        String id = made(sessions.of(new Exchange())).getId();
        RequestSession request = sessions.of(new Exchange()
                .cookies(new Cookie("JSESSIONID", "stale"), new Cookie("x", "y"), new Cookie("JSESSIONID", id)));
        assertEquals(id, request.requestedId());
        assertTrue(request.isRequestedIdValid());
    }

    /** As Tomcat: a front end may look for the route of the same one. */
    @Test
    void namesTheLastOfSeveralInvalidIds() {
        Sessions sessions = fixture.sessions();
        RequestSession request = sessions.of(
                new Exchange().cookies(new Cookie("JSESSIONID", "stale"), new Cookie("JSESSIONID", "older")));
        assertEquals("older", request.requestedId());
        assertFalse(request.isRequestedIdValid());
    }

    @Test
    void findsTheIdInThePathAndPutsItIntoLinks() {
        Sessions sessions = fixture.sessions();
        RequestSession first = sessions.of(new Exchange());
        String id = made(first).getId();
        assertEquals("x;jsessionid=" + id, first.encode("x"));
        RequestSession second = sessions.of(new Exchange().path(";a=b;jsessionid=" + id + ";c"));
        assertTrue(second.isRequestedIdFromUrl());
        assertTrue(second.isRequestedIdValid());
        assertEquals("x;jsessionid=" + id, second.encodeRedirect("x"));
        RequestSession third = sessions.of(new Exchange().cookie(id).path(";jsessionid=" + id));
        assertTrue(third.isRequestedIdFromCookie());
        assertEquals("x", third.encode("x"));
    }

    @Test
    void tracksTheWaysItIsToldAlone() {
        Sessions sessions = fixture.sessions();
        sessions.tracking().modes(Set.of(SessionTrackingMode.URL));
        Exchange first = new Exchange();
        first.committed = true;
        String id = made(sessions.of(first)).getId();
        assertNull(first.responseHeaders().get("Set-Cookie"));
        assertNull(sessions.of(new Exchange().cookie(id)).get(false));

        Sessions byCookie = fixture.sessions();
        byCookie.tracking().modes(Set.of(SessionTrackingMode.COOKIE));
        RequestSession request = byCookie.of(new Exchange());
        made(request);
        assertEquals("x", request.encode("x"));
    }

    @Test
    void refusesANewSessionAfterTheResponseWasCommitted() {
        Exchange exchange = new Exchange();
        exchange.committed = true;
        assertThrows(
                IllegalStateException.class,
                () -> fixture.sessions().of(exchange).get(true));
    }

    @Test
    void replacesTheCookieOfTheSameResponse() {
        Sessions sessions = fixture.sessions();
        Exchange exchange = new Exchange();
        exchange.secure = true;
        exchange.responseHeaders().add("Set-Cookie", "other=1");
        RequestSession request = sessions.of(exchange);
        String old = made(request).getId();
        String changed = request.changeId();
        assertNotEquals(old, changed);
        assertEquals(
                List.of("other=1", "JSESSIONID=" + changed + "; Path=/app; Secure; HttpOnly"),
                exchange.responseHeaders().all("Set-Cookie"));
        assertNull(sessions.of(new Exchange().cookie(old)).get(false));
        assertNotNull(sessions.of(new Exchange().cookie(changed)).get(false));
        assertEquals(1, sessions.count());
    }

    @Test
    void appendsTheRoute() {
        Sessions sessions = fixture.sessions(SessionSettings.DEFAULT, "node1", SameSite.LAX);
        Exchange exchange = new Exchange();
        assertTrue(made(sessions.of(exchange)).getId().endsWith(".node1"));
        assertTrue(String.valueOf(exchange.responseHeaders().get("Set-Cookie")).endsWith("; SameSite=Lax"));
    }

    @Test
    void findsASessionWhateverTheRouteInItsId() {
        Sessions sessions = fixture.sessions(SessionSettings.DEFAULT, "node2", SameSite.UNSET);
        HttpSession session = made(sessions.of(new Exchange()));
        String elsewhere = session.getId().replace(".node2", ".node1");
        Exchange moved = new Exchange().cookie(elsewhere);
        RequestSession request = sessions.of(moved);
        assertSame(session, request.get(false));
        assertTrue(request.isRequestedIdValid());
        assertEquals(elsewhere, request.requestedId());
        assertEquals(
                "JSESSIONID=" + session.getId() + "; Path=/app; HttpOnly",
                moved.responseHeaders().get("Set-Cookie"),
                "so that the load balancer sends the next one here");
    }

    @Test
    void tracksByTheTlsSessionAlone() {
        Sessions sessions = fixture.sessions(SessionSettings.DEFAULT, "node1", SameSite.UNSET);
        sessions.tracking().modes(Set.of(SessionTrackingMode.SSL));
        Exchange first = new Exchange().tls("0a1b");
        HttpSession session = made(sessions.of(first));
        assertEquals("0a1b", session.getId());
        assertNull(first.responseHeaders().get("Set-Cookie"));
        RequestSession second = sessions.of(new Exchange().tls("0a1b"));
        assertSame(session, second.get(false));
        assertTrue(second.isRequestedIdValid());
        assertFalse(second.isRequestedIdFromCookie());
        assertFalse(second.isRequestedIdFromUrl());
        assertEquals("x", second.encode("x"));
        assertEquals("0a1b", second.changeId());
        assertNull(sessions.of(new Exchange().cookie("0a1b").path(";jsessionid=0a1b"))
                .get(false));
    }

    @Test
    void takesSslWithNoOtherMode() {
        Sessions sessions = fixture.sessions();
        Set<SessionTrackingMode> both = Set.of(SessionTrackingMode.SSL, SessionTrackingMode.COOKIE);
        assertThrows(IllegalArgumentException.class, () -> sessions.tracking().modes(both));
    }

    @Test
    void usesUrlsAloneIfTheOperatorWantsNoCookies() {
        Sessions sessions = fixture.sessions(SessionSettings.DEFAULT.with(SessionSettings.COOKIES, false));
        assertEquals(Set.of(SessionTrackingMode.URL), sessions.tracking().modes());
        assertEquals(Set.of(SessionTrackingMode.URL), sessions.tracking().unlessSaid());
        Exchange exchange = new Exchange();
        made(sessions.of(exchange));
        assertNull(exchange.responseHeaders().get("Set-Cookie"));
    }
}
