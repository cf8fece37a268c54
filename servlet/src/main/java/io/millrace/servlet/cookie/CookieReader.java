package io.millrace.servlet.cookie;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.http.Headers;
import io.millrace.servlet.form.FormException;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code Cookie} fields (RFC 6265, 5.4), as leniently as Tomcat's Rfc6265CookieProcessor: whitespace around names and
 * values is permitted, quotes around a value are removed, values may be UTF-8, a name without {@code =} has an empty value, and a quote
 * that is not closed is dropped. A malformed cookie is skipped up to the next semicolon, without an error: browsers send such cookies with
 * every request.
 */
public final class CookieReader {

    private static final Cookie[] NONE = new Cookie[0];

    private final String field;
    private int at;

    private CookieReader(String field) {
        this.field = field;
    }

    /**
     * Returns the cookies of a request in order, without malformed ones; an empty array if there are none.
     *
     * @param limit largest number of cookies; negative: no limit
     * @throws FormException with status 400, if the request has more cookies
     */
    public static Cookie[] read(Headers request, int limit) {
        List<Cookie> cookies = null;
        for (int i = 0; i < request.size(); i++) {
            if (request.name(i).equalsIgnoreCase("Cookie")) {
                cookies = cookies == null ? new ArrayList<>() : cookies;
                new CookieReader(request.value(i)).readInto(cookies, limit < 0 ? Integer.MAX_VALUE : limit);
            }
        }
        return cookies == null ? NONE : cookies.toArray(NONE);
    }

    private void readInto(List<Cookie> cookies, int limit) {
        while (at < field.length()) {
            Cookie cookie = next();
            skipBlanks();
            if (at == field.length() || field.charAt(at) == ';') {
                if (cookie != null) {
                    add(cookie, cookies, limit);
                }
            } else {
                at = nextSemicolon();
            }
            at++;
        }
    }

    private static void add(Cookie cookie, List<Cookie> cookies, int limit) {
        if (cookies.size() >= limit) {
            throw new FormException(
                    400, "The request has more than " + limit + " cookies: raise maxCookieCount to accept it.");
        }
        cookies.add(cookie);
    }

    /** Parses a cookie; null if it is malformed. Stops at the first character that is not part of it. */
    private @Nullable Cookie next() {
        skipBlanks();
        int start = at;
        while (at < field.length() && CookieSyntax.isToken(field.charAt(at))) {
            at++;
        }
        String name = field.substring(start, at);
        skipBlanks();
        if (name.isEmpty()) {
            return null;
        }
        String value = "";
        if (at < field.length() && field.charAt(at) == '=') {
            at++;
            skipBlanks();
            value = value();
        }
        if (CookieSyntax.isAttribute(name)) {
            return null;
        }
        return CookieSyntax.isReserved(name) ? new ReservedCookie(name, value) : new Cookie(name, value);
    }

    private String value() {
        boolean quoted = at < field.length() && field.charAt(at) == '"';
        if (quoted) {
            at++;
        }
        int start = at;
        boolean ascii = true;
        while (at < field.length() && CookieSyntax.isValue(field.charAt(at))) {
            ascii &= field.charAt(at) < 0x80;
            at++;
        }
        String value = field.substring(start, at);
        if (quoted && at < field.length() && field.charAt(at) == '"') {
            at++;
        }
        // header fields arrive as one char per byte
        return ascii ? value : new String(value.getBytes(ISO_8859_1), UTF_8);
    }

    private void skipBlanks() {
        while (at < field.length() && (field.charAt(at) == ' ' || field.charAt(at) == '\t')) {
            at++;
        }
    }

    private int nextSemicolon() {
        int semicolon = field.indexOf(';', at);
        return semicolon < 0 ? field.length() : semicolon;
    }

    /** A received cookie whose name the constructor of the API refuses: that of an attribute, such as {@code version}, or one with {@code $}. */
    private static final class ReservedCookie extends Cookie {

        private static final long serialVersionUID = 1L;

        private final String name;

        ReservedCookie(String name, String value) {
            super("reserved", value);
            this.name = name;
        }

        @Override
        public String getName() {
            return name;
        }
    }
}
