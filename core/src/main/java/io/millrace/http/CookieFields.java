package io.millrace.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code Cookie} fields (RFC 6265, 5.4), as leniently as Tomcat's Rfc6265CookieProcessor: whitespace around names and
 * values is permitted, quotes around a value are removed, values may be UTF-8, a name without {@code =} has an empty value, and a quote
 * that is not closed is dropped. A malformed cookie is skipped up to the next semicolon, without an error: browsers send such cookies with
 * every request. Servlets, access logs and rules all see the same cookies, or one could be fooled where another is not.
 */
public final class CookieFields {

    /** What RFC 2109 puts between cookies to describe them. */
    private static final String[] ATTRIBUTES = {"$Domain", "$Path", "$Port", "$Version"};

    private final Headers request;
    /** The index of the next field. */
    private int next;

    private String field = "";
    private int at;
    private String name = "";
    private String value = "";

    private CookieFields(Headers request) {
        this.request = request;
    }

    /** Calls the receiver with the name and the value of each cookie of a request, in order; an exception ends that. */
    public static void forEach(Headers request, BiConsumer<String, String> receiver) {
        CookieFields cookies = new CookieFields(request);
        while (cookies.goToNext()) {
            receiver.accept(cookies.name, cookies.value);
        }
    }

    /** The value of a request's first cookie of this name; null if there is none. */
    public static @Nullable String first(Headers request, String name) {
        CookieFields cookies = new CookieFields(request);
        while (cookies.goToNext()) {
            if (cookies.name.equals(name)) {
                return cookies.value;
            }
        }
        return null;
    }

    /** Whether a cookie's value may contain this character (RFC 6265, 4.1.1): those of {@code cookie-octet}, and all beyond ASCII. */
    public static boolean isValueChar(char c) {
        return c > 0x20 && c != '"' && c != ',' && c != ';' && c != '\\' && c != 0x7f;
    }

    /** Goes to the next well-formed cookie; false if there is none. */
    private boolean goToNext() {
        while (at < field.length() || hasNextField()) {
            boolean found = isCookie();
            skipBlanks();
            boolean whole = at == field.length() || field.charAt(at) == ';';
            if (!whole) {
                at = nextSemicolon();
            }
            at++;
            if (found && whole) {
                return true;
            }
        }
        return false;
    }

    private boolean hasNextField() {
        while (next < request.size()) {
            int index = next++;
            if (request.name(index).equalsIgnoreCase("Cookie")
                    && !request.value(index).isEmpty()) {
                field = request.value(index);
                at = 0;
                return true;
            }
        }
        return false;
    }

    /** Parses a cookie. Stops at the first character that is not part of it. */
    private boolean isCookie() {
        skipBlanks();
        int start = at;
        while (at < field.length() && FieldSyntax.isTokenChar(field.charAt(at))) {
            at++;
        }
        name = field.substring(start, at);
        skipBlanks();
        if (name.isEmpty()) {
            return false;
        }
        value = "";
        if (at < field.length() && field.charAt(at) == '=') {
            at++;
            skipBlanks();
            value = value();
        }
        return !isAttribute(name);
    }

    private String value() {
        boolean quoted = at < field.length() && field.charAt(at) == '"';
        if (quoted) {
            at++;
        }
        int start = at;
        boolean ascii = true;
        while (at < field.length() && isValueChar(field.charAt(at))) {
            ascii &= field.charAt(at) < 0x80;
            at++;
        }
        String text = field.substring(start, at);
        if (quoted && at < field.length() && field.charAt(at) == '"') {
            at++;
        }
        // header fields arrive as one char per byte
        return ascii ? text : new String(text.getBytes(ISO_8859_1), UTF_8);
    }

    /** Whether it is an attribute of the cookie before it, which is none itself. */
    private static boolean isAttribute(String name) {
        if (name.charAt(0) == '$') {
            for (String attribute : ATTRIBUTES) {
                if (name.equalsIgnoreCase(attribute)) {
                    return true;
                }
            }
        }
        return false;
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
}
