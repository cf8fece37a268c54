package io.millrace.servlet.model;

import org.jspecify.annotations.Nullable;

/** Validates URL patterns (Servlet 3.1, 12.2). */
public final class UrlPattern {

    private UrlPattern() {}

    /** Normalizes the pattern of a filter: {@code *} alone means all requests, as in Tomcat. */
    public static String ofFilter(String pattern) {
        return pattern.equals("*") ? "/*" : pattern;
    }

    /** Returns what is wrong with a pattern, as a clause for an error message; null if the pattern is valid. */
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
