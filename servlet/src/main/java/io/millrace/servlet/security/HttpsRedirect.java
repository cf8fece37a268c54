package io.millrace.servlet.security;

import io.millrace.http.LocalReference;
import org.jspecify.annotations.Nullable;

/** Redirects a request that must be encrypted to the same URL with https. */
final class HttpsRedirect {

    private static final int HTTPS_PORT = 443;
    private static final int FOUND = 302;

    private HttpsRedirect() {}

    /**
     * The response to a request for this URL.
     *
     * @param url without the query
     * @param port the connector's redirectPort; 0 or less for none
     */
    static Verdict of(String url, @Nullable String query, int port) {
        int start = url.indexOf("://") + 3;
        if (port <= 0 || start < 3) {
            return new Verdict.Refused(403, "This resource is available over https only.");
        }
        int slash = url.indexOf('/', start);
        int pathAt = slash < 0 ? url.length() : slash;
        String authority = url.substring(start, pathAt);
        int colon = authority.lastIndexOf(':');
        boolean hasPort = colon > authority.lastIndexOf(']'); // [::1]:8080
        String host = hasPort ? authority.substring(0, colon) : authority;
        return new Verdict.Redirected(
                FOUND,
                "https://"
                        + host
                        + (port == HTTPS_PORT ? "" : ":" + port)
                        + LocalReference.of(url.substring(pathAt), query));
    }
}
