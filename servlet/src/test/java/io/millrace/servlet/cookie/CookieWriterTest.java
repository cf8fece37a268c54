package io.millrace.servlet.cookie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.settings.SameSite;
import javax.servlet.http.Cookie;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CookieWriterTest {

    private final CookieWriter writer = new CookieWriter(SameSite.UNSET);

    @Test
    void writesAllAttributes() {
        Cookie cookie = new Cookie("a", "b");
        cookie.setMaxAge(0);
        cookie.setDomain(".example.com");
        cookie.setPath("/shop");
        cookie.setSecure(true);
        cookie.setHttpOnly(true);
        assertEquals(
                "a=b; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Domain=example.com; Path=/shop; Secure; HttpOnly;"
                        + " SameSite=Strict",
                new CookieWriter(SameSite.STRICT).write(cookie));
    }

    @Test
    void writesNoMoreThanIsSet() {
        assertEquals("a=b", writer.write(new Cookie("a", "b")));
        assertEquals("a=", writer.write(new Cookie("a", null)));
    }

    @Test
    void writesAnExpiryInTheFuture() {
        Cookie cookie = new Cookie("a", "b");
        cookie.setMaxAge(3600);
        assertTrue(writer.write(cookie)
                .matches("a=b; Max-Age=3600; Expires=\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT"));
    }

    @Test
    void writesUtf8AsOneCharPerByte() {
        assertEquals("a=Ã¤", writer.write(new Cookie("a", "ä")));
    }

    @Test
    void keepsQuotesAroundAValue() {
        assertEquals("a=\"b\"", writer.write(new Cookie("a", "\"b\"")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"b c", "b;c", "b,c", "b\"c", "b\\c", "b\r\nSet-Cookie: x=y", "b\n", "\u0000", "\u007f", "\""})
    void refusesValues(String value) {
        assertThrows(IllegalArgumentException.class, () -> writer.write(new Cookie("a", value)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a;HttpOnly", "/a\r\nX: y", "/\u007f", "/ä"})
    void refusesPaths(String path) {
        Cookie cookie = new Cookie("a", "b");
        cookie.setPath(path);
        assertThrows(IllegalArgumentException.class, () -> writer.write(cookie));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a;b", "a b", "..", "a..b", "a.", "a\r\n", "ä.de", "a/b"})
    void refusesDomains(String domain) {
        Cookie cookie = new Cookie("a", "b");
        cookie.setDomain(domain);
        assertThrows(IllegalArgumentException.class, () -> writer.write(cookie));
    }

    @Test
    void refusesANameThatASubclassInvents() {
        Cookie cookie = new Cookie("a", "b") {
            private static final long serialVersionUID = 1L;

            @Override
            public String getName() {
                return "a\r\nb";
            }
        };
        assertThrows(IllegalArgumentException.class, () -> writer.write(cookie));
    }
}
