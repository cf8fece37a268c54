package io.millrace.servlet.session;

import io.millrace.http.EncodedSlash;
import io.millrace.http.RequestPath;
import io.millrace.servlet.uri.UrlEscapes;
import java.util.Locale;

/** Adds session ids to URLs (Servlet 3.1, 7.1.3), but only to those of the application. */
final class SessionLink {

    private final String parameter;
    private final String contextPath;
    private final String requestUrl;

    /**
     * For the links of one response.
     *
     * @param parameter {@code ;jsessionid=}
     * @param contextPath decoded; empty for the root
     * @param requestUrl {@code http://host:port/path}
     */
    SessionLink(String parameter, String contextPath, String requestUrl) {
        this.parameter = parameter;
        this.contextPath = contextPath;
        this.requestUrl = requestUrl;
    }

    String encode(String url, String id) {
        if (url.startsWith("#") || url.contains(parameter) || !isOwn(url)) {
            return url;
        }
        String full = url.isEmpty() ? requestUrl : url;
        int end = endOfPath(full);
        // a URL that is only a query would lose its path
        return end == 0 ? full : full.substring(0, end) + parameter + id + full.substring(end);
    }

    private boolean isOwn(String url) {
        if (url.startsWith("//")) {
            return isOwn(scheme(requestUrl) + ":" + url);
        }
        if (url.startsWith("/")) {
            return isBelow(url.substring(0, endOfPath(url)));
        }
        int colon = url.indexOf(':');
        boolean relative = colon < 0 || colon > endOfSegment(url);
        if (relative) {
            return true;
        }
        int path = endOfAuthority(url);
        return path > 0
                && path < endOfPath(url)
                && origin(url).equals(origin(requestUrl))
                && isBelow(url.substring(path, endOfPath(url)));
    }

    /** Whether a server that reads the path finds it in the application, however it is written. */
    private boolean isBelow(String path) {
        RequestPath read = RequestPath.parse(UrlEscapes.escape(path), EncodedSlash.DECODE);
        String decoded = read == null ? "" : read.decoded();
        return decoded.startsWith(contextPath)
                && decoded.startsWith(decoded.length() == contextPath.length() ? "" : "/", contextPath.length());
    }

    /** Scheme, host and port, without the default port. */
    private static String origin(String url) {
        String text = url.substring(0, Math.max(0, endOfAuthority(url))).toLowerCase(Locale.ROOT);
        if (text.startsWith("http://") && text.endsWith(":80")) {
            return text.substring(0, text.length() - 3);
        }
        return text.startsWith("https://") && text.endsWith(":443") ? text.substring(0, text.length() - 4) : text;
    }

    private static String scheme(String url) {
        return url.substring(0, Math.max(0, url.indexOf(':')));
    }

    /** The index of the path in an absolute URL; -1 if it has no authority. */
    private static int endOfAuthority(String url) {
        int colon = url.indexOf(':');
        return colon > 0 && url.startsWith("//", colon + 1) ? first(url, "/?#;", colon + 3) : -1;
    }

    private static int endOfSegment(String url) {
        return first(url, "/?#", 0);
    }

    private static int endOfPath(String url) {
        return first(url, "?#", 0);
    }

    private static int first(String url, String ends, int from) {
        int at = from;
        while (at < url.length() && ends.indexOf(url.charAt(at)) < 0) {
            at++;
        }
        return at;
    }
}
