package io.millrace.servlet.uri;

import io.millrace.http.EncodedSlash;
import io.millrace.http.RequestPath;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/**
 * The three spellings of a context path: decoded, as the application is configured and as paths are matched; escaped, as the container
 * writes it into URLs; and as the client sent it, which is the beginning of the request URI (HttpServletRequest.getContextPath: "The
 * container does not decode this string").
 */
public final class ContextPath {

    private ContextPath() {}

    /** The decoded context path of an application's {@link ServletContext#getContextPath}, which is escaped. */
    public static String decoded(ServletContext context) {
        String escaped = context.getContextPath();
        RequestPath path = escaped.indexOf('%') < 0 ? null : RequestPath.parse(escaped, EncodedSlash.DECODE);
        return path == null ? escaped : path.decoded();
    }

    /**
     * The part of a request URI that names the application: up to the segment with which the path, read from left to right, enters the
     * application for the last time. What follows never leaves the application.
     *
     * @param uri as sent; its decoded path is in the application
     * @param context decoded; empty for the root
     * @param slashes how the connector reads encoded slashes
     * @param charset of the connector's escapes
     * @return null if the path is not in the application
     */
    public static @Nullable String sent(String uri, String context, EncodedSlash slashes, Charset charset) {
        if (context.isEmpty()) {
            return "";
        }
        if (isPlainPrefix(uri, context)) {
            return context;
        }
        return new Reading(uri, context, slashes, charset).prefix();
    }

    /** Whether a path begins with the context path as it is configured and has nothing that needs decoding or resolving. */
    private static boolean isPlainPrefix(String uri, String context) {
        boolean prefix =
                uri.startsWith(context) && (uri.length() == context.length() || uri.charAt(context.length()) == '/');
        return prefix && uri.indexOf('%') < 0 && !uri.contains("/.") && uri.indexOf(';') < 0 && !uri.startsWith("//");
    }

    /** A request URI without all but the first of its leading slashes: two would name a host in a redirect. */
    public static String withOneSlash(String uri) {
        int at = 0;
        while (at + 1 < uri.length() && uri.charAt(at) == '/' && uri.charAt(at + 1) == '/') {
            at++;
        }
        return uri.substring(at);
    }

    /** One pass over the segments of a URI, each decoded once. */
    private static final class Reading {

        private final String uri;
        private final String[] wanted;
        private final EncodedSlash slashes;
        private final Charset charset;
        /** The decoded segments so far, with dot segments resolved. */
        private final List<String> path = new ArrayList<>();

        private boolean inside;
        private int end = -1;

        Reading(String uri, String context, EncodedSlash slashes, Charset charset) {
            this.uri = uri;
            this.wanted = context.substring(1).split("/", -1);
            this.slashes = slashes;
            this.charset = charset;
        }

        @Nullable
        String prefix() {
            int at = 1;
            while (at <= uri.length()) {
                int slash = uri.indexOf('/', at);
                int next = slash < 0 ? uri.length() : slash;
                segment(at, next);
                at = next + 1;
            }
            return inside ? uri.substring(0, end) : null;
        }

        /** Reads a segment, which encoded slashes may divide. Its parameters belong to what they follow. */
        private void segment(int from, int to) {
            int semicolon = uri.indexOf(';', from);
            int names = semicolon < 0 || semicolon > to ? to : semicolon;
            int at = from;
            int encoded = slashes == EncodedSlash.DECODE ? encodedSlash(at, names) : -1;
            while (encoded >= 0) {
                add(uri.substring(at, encoded), encoded);
                at = encoded + 3;
                encoded = encodedSlash(at, names);
            }
            add(uri.substring(at, names), to);
        }

        private int encodedSlash(int from, int to) {
            for (int at = uri.indexOf('%', from); at >= 0 && at < to; at = uri.indexOf('%', at + 1)) {
                if (uri.regionMatches(true, at, "%2f", 0, 3)) {
                    return at;
                }
            }
            return -1;
        }

        private void add(String name, int boundary) {
            RequestPath read = RequestPath.parse("/" + name, slashes, charset);
            if (read == null) { // the whole path is valid, so this is a segment that leads above the root
                if (!path.isEmpty()) {
                    path.remove(path.size() - 1);
                }
            } else if (read.decoded().length() > 1) {
                path.add(read.decoded().substring(1));
            }
            boolean before = inside;
            inside = isInside();
            if (inside && !before) {
                end = boundary;
            }
        }

        private boolean isInside() {
            if (path.size() < wanted.length) {
                return false;
            }
            for (int i = 0; i < wanted.length; i++) {
                if (!path.get(i).equals(wanted[i])) {
                    return false;
                }
            }
            return true;
        }
    }
}
