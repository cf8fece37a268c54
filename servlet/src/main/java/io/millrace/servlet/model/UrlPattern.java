package io.millrace.servlet.model;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Reads URL patterns (Servlet 3.1, 12.2), whatever their source: descriptors, annotations, or code. */
public final class UrlPattern {

    private UrlPattern() {}

    /** Normalizes the pattern of a filter: {@code *} alone means all requests, as in Tomcat. */
    public static String ofFilter(String pattern) {
        return pattern.equals("*") ? "/*" : pattern;
    }

    /**
     * Decodes a pattern as it is written: the percent-escapes of a URL, once, as UTF-8. Patterns are matched with decoded paths, so an
     * escape that stayed would match nothing that is meant.
     *
     * @throws IllegalArgumentException if an escape is malformed; the message is a clause that says what is wrong
     */
    public static String decoded(String pattern) {
        if (pattern.indexOf('%') < 0) {
            return pattern;
        }
        ByteBuffer bytes = ByteBuffer.allocate(3 * pattern.length());
        int at = 0;
        while (at < pattern.length()) {
            int escape = pattern.indexOf('%', at);
            int end = escape < 0 ? pattern.length() : escape;
            bytes.put(pattern.substring(at, end).getBytes(StandardCharsets.UTF_8));
            at = end;
            if (escape >= 0) {
                bytes.put(octet(pattern, escape));
                at += 3;
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("its percent-escapes are not UTF-8", e);
        }
    }

    private static byte octet(String pattern, int percent) {
        String digits = pattern.substring(percent + 1, Math.min(percent + 3, pattern.length()));
        try {
            if (digits.length() == 2 && !digits.startsWith("+") && !digits.startsWith("-")) {
                return (byte) HexFormat.fromHexDigits(digits);
            }
        } catch (IllegalArgumentException malformed) {
            // reported below
        }
        throw new IllegalArgumentException("the percent sign at index " + percent
                + " is not followed by two hexadecimal digits; a percent sign itself is written %25");
    }

    /** A sentence for the operator, if decoding has changed a pattern that is written as if it were not decoded; null otherwise. */
    public static @Nullable String note(String written, String decoded) {
        return written.equals(decoded)
                ? null
                : "the URL pattern \"" + written + "\" is decoded, as in Tomcat, and matches \"" + decoded + "\"";
    }

    /** Returns what is wrong with a decoded pattern, as a clause for an error message; null if the pattern is valid. */
    public static @Nullable String problem(String pattern) {
        if (pattern.isEmpty()) {
            return null;
        }
        if (pattern.indexOf('\n') >= 0 || pattern.indexOf('\r') >= 0) {
            return "it contains a line break";
        }
        if (pattern.startsWith("*.")) {
            return pattern.indexOf('/') < 0 ? null : "an extension pattern cannot contain a slash";
        }
        if (!pattern.startsWith("/")) {
            return "it must begin with a slash or with \"*.\", or be empty";
        }
        return pattern.contains("*.") ? "it must be a path prefix or an extension, not both" : null;
    }
}
