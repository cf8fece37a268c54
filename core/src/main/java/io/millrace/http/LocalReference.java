package io.millrace.http;

import org.jspecify.annotations.Nullable;

/**
 * References to resources on the host that was requested, for {@code Location} fields (RFC 9110, 10.2.2). Every redirect
 * that the server derives from a client's input is built here, so that it cannot become a redirect to another host.
 */
public final class LocalReference {

    private LocalReference() {}

    /**
     * A relative reference with an absolute path and a query (RFC 3986, 4.2). It begins with exactly one slash: two
     * would name another host, and browsers treat a backslash as a slash and ignore tabs and line ends. Characters that
     * are not allowed in a URL are percent-encoded as UTF-8; existing escapes are kept.
     *
     * @param path as sent by a client
     * @param query as sent by a client, without the question mark; null if there is none
     */
    public static String of(String path, @Nullable String query) {
        int at = 0;
        while (at < path.length() && isDropped(path.charAt(at))) {
            at++;
        }
        String reference = "/" + PercentEncoding.escape(path.substring(at));
        return query == null ? reference : reference + "?" + PercentEncoding.escape(query);
    }

    /** The reference with a slash appended to the path, for the redirect from a directory's name to the directory. */
    public static String ofDirectory(String path, @Nullable String query) {
        return of(path + "/", query);
    }

    private static boolean isDropped(char c) {
        return c == '/' || c == '\\' || c <= ' ';
    }
}
