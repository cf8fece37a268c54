package io.millrace.servlet.session;

import static io.millrace.servlet.session.SessionFixture.made;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.servlet.session.SessionFixture.Exchange;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The session cookie … */
final class SessionCookieTest {

    private final SessionFixture fixture = new SessionFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void looksAsItIsConfiguredUntilTheStart() {
        Sessions sessions = fixture.sessions();
        sessions.tracking().cookieConfig().setName("SID");
        sessions.tracking().cookieConfig().setPath("/");
        sessions.tracking().cookieConfig().setDomain("example.com");
        sessions.tracking().cookieConfig().setHttpOnly(false);
        sessions.tracking().cookieConfig().setSecure(true);
        sessions.tracking().cookieConfig().setMaxAge(0);
        sessions.start();
        Exchange exchange = new Exchange();
        RequestSession request = sessions.of(exchange);
        String id = made(request).getId();
        assertEquals(
                "SID=" + id + "; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Domain=example.com; Path=/; Secure",
                exchange.responseHeaders().get("Set-Cookie"));
        assertEquals("x;SID=" + id, request.encode("x"));
        assertThrows(
                IllegalStateException.class,
                () -> sessions.tracking().cookieConfig().setName("x"));
        assertThrows(IllegalStateException.class, () -> sessions.tracking().modes(Set.of()));
        assertThrows(IllegalStateException.class, () -> sessions.timeoutMinutes(1));
    }

    @Test
    void looksAsTheOperatorSaysAboveAll() {
        fixture.model.cookieName = "SID";
        fixture.model.cookiePath = "/a";
        fixture.model.cookieDomain = "a.example";
        Sessions sessions = fixture.sessions(SessionSettings.DEFAULT
                .with(SessionSettings.SESSION_COOKIE_NAME, "ID")
                .with(SessionSettings.SESSION_COOKIE_PATH, "/")
                .with(SessionSettings.SESSION_COOKIE_DOMAIN, "example")
                .with(SessionSettings.USE_HTTP_ONLY, false)
                .with(SessionSettings.SESSION_ID_LENGTH, 32));
        Exchange exchange = new Exchange();
        String id = made(sessions.of(exchange)).getId();
        assertEquals(
                "ID=" + id + "; Domain=example; Path=/",
                exchange.responseHeaders().get("Set-Cookie"));
        assertEquals(43, id.length(), "32 bytes, 6 bits a letter");
    }

    @Test
    void isOpenToScriptsIfTheApplicationSaysSo() {
        fixture.model.cookieHttpOnly = false;
        Exchange exchange = new Exchange();
        String id = made(fixture.sessions().of(exchange)).getId();
        assertEquals(
                "JSESSIONID=" + id + "; Path=/app", exchange.responseHeaders().get("Set-Cookie"));
    }

    @Test
    void hasAnIdThatCantBeGuessed() {
        assertThrows(
                IllegalArgumentException.class,
                () -> SessionSettings.DEFAULT.with(SessionSettings.SESSION_ID_LENGTH, 8));
    }
}
