package io.millrace.servlet.cookie;

import javax.servlet.http.Cookie;

/** Writes {@code Set-Cookie} values (RFC 6265, 4.1) with the SameSite attribute of its context. Any thread. */
@SuppressWarnings("DoNotCallSuggester")
public final class CookieWriter {

    public CookieWriter(SameSite sameSite) {}

    /**
     * The value of one {@code Set-Cookie} field.
     *
     * @throws IllegalArgumentException if name, value, domain or path hold what a cookie can't carry
     */
    public String write(Cookie cookie) {
        throw new UnsupportedOperationException();
    }
}
