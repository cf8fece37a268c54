package io.millrace.servlet.model;

import org.jspecify.annotations.Nullable;

/** Which URL patterns are possible (Servlet 3.1, 12.2). */
public final class UrlPattern {

    private UrlPattern() {}

    /** A filter's pattern as it is meant: Tomcat takes a lone asterisk for all requests, and descriptors have it. */
    public static String ofFilter(String pattern) {
        return pattern.equals("*") ? "/*" : pattern;
    }

    /** What is wrong with a pattern; null if nothing is. */
    public static @Nullable String problem(String pattern) {
        if (pattern.isEmpty()) {
            return null;
        }
        if (pattern.indexOf('\n') >= 0 || pattern.indexOf('\r') >= 0) {
            return "it has a line break in it";
        }
        if (pattern.startsWith("*.")) {
            return pattern.indexOf('/') < 0 ? null : "an extension pattern has no slash";
        }
        if (!pattern.startsWith("/")) {
            return "it must begin with a slash or with \"*.\", or be empty";
        }
        return pattern.contains("*.") ? "a pattern is a path prefix or an extension, not both" : null;
    }
}
