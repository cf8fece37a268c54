package io.millrace.servlet.cookie;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.http.CookieFields;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.servlet.settings.SameSite;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.IntPredicate;
import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;

/**
 * Formats {@code Set-Cookie} values (RFC 6265, 4.1) with the SameSite attribute of the application. Characters that could end
 * the value early, and so inject attributes or header fields, are rejected. Thread-safe.
 */
public final class CookieWriter {

    private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private final SameSite sameSite;
    private final Function<Cookie, @Nullable SameSite> byCookie;

    /** A writer that gives all cookies the same attribute. */
    public CookieWriter(SameSite sameSite) {
        this(sameSite, cookie -> null);
    }

    /**
     * A writer of cookies that may differ.
     *
     * @param byCookie null for cookies that get {@code sameSite}; called by the thread that adds the cookie
     */
    public CookieWriter(SameSite sameSite, Function<Cookie, @Nullable SameSite> byCookie) {
        this.sameSite = sameSite;
        this.byCookie = byCookie;
    }

    /** Removes a cookie that a response sets already, so that it can be set anew. */
    public static void withdraw(Headers response, String name) {
        List<String> all = response.all("Set-Cookie");
        response.remove("Set-Cookie");
        for (String each : all) {
            if (!each.startsWith(name + "=")) {
                response.add("Set-Cookie", each);
            }
        }
    }

    /**
     * Formats the value of a {@code Set-Cookie} field. Non-ASCII characters of the cookie's value are encoded in UTF-8, one char
     * per byte.
     *
     * @throws IllegalArgumentException if the name, value, domain or path has characters that a cookie cannot contain
     */
    public String write(Cookie cookie) {
        StringBuilder text = new StringBuilder(64);
        text.append(name(cookie.getName())).append('=').append(value(cookie));
        if (cookie.getMaxAge() >= 0) {
            text.append("; Max-Age=").append(cookie.getMaxAge());
            // for clients that don't support Max-Age
            text.append("; Expires=").append(IMF_FIXDATE.format(expiry(cookie.getMaxAge())));
        }
        String domain = cookie.getDomain();
        if (domain != null && !domain.isEmpty()) {
            text.append("; Domain=").append(domain(cookie, domain));
        }
        String path = cookie.getPath();
        if (path != null && !path.isEmpty()) {
            text.append("; Path=").append(checked(cookie, "path", path, c -> c >= 0x20 && c < 0x7f && c != ';'));
        }
        if (cookie.getSecure()) {
            text.append("; Secure");
        }
        if (cookie.isHttpOnly()) {
            text.append("; HttpOnly");
        }
        SameSite own = byCookie.apply(cookie);
        switch (own == null ? sameSite : own) {
            case UNSET -> {}
            case NONE -> text.append("; SameSite=None");
            case LAX -> text.append("; SameSite=Lax");
            case STRICT -> text.append("; SameSite=Strict");
        }
        return text.toString();
    }

    private static Instant expiry(int maxAge) {
        return maxAge == 0 ? Instant.EPOCH : Instant.now().plusSeconds(maxAge);
    }

    private static String name(@Nullable String name) {
        if (name == null || !FieldSyntax.isToken(name)) {
            throw new IllegalArgumentException(
                    "cookie name \"" + name + "\" is not a token; use letters, digits and !#$%&'*+-.^_`|~");
        }
        return name;
    }

    private static String value(Cookie cookie) {
        String value = cookie.getValue();
        if (value == null || value.isEmpty()) {
            return "";
        }
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        String inner = quoted ? value.substring(1, value.length() - 1) : value;
        checked(cookie, "value", inner, c -> CookieFields.isValueChar((char) c));
        boolean ascii = value.chars().allMatch(c -> c < 0x80);
        return ascii ? value : new String(value.getBytes(UTF_8), ISO_8859_1);
    }

    /** Removes the leading dot of RFC 2109, which browsers ignore (RFC 6265, 5.2.3). */
    private static String domain(Cookie cookie, String domain) {
        String host = domain.startsWith(".") ? domain.substring(1) : domain;
        checked(cookie, "domain", host, c -> c < 0x80 && Character.isLetterOrDigit(c) || c == '-' || c == '.');
        if (host.isEmpty() || host.startsWith(".") || host.endsWith(".") || host.contains("..")) {
            throw new IllegalArgumentException("domain \"" + domain + "\" of cookie " + cookie.getName()
                    + " is not a host name; expected names separated by single dots, such as example.org");
        }
        return host;
    }

    private static String checked(Cookie cookie, String what, String text, IntPredicate allowed) {
        for (int i = 0; i < text.length(); i++) {
            if (!allowed.test(text.charAt(i))) {
                throw new IllegalArgumentException(String.format(
                        "character 0x%02x at index %d of the %s of cookie %s is not permitted in cookies; encode the %3$s",
                        (int) text.charAt(i), i, what, cookie.getName()));
            }
        }
        return text;
    }
}
