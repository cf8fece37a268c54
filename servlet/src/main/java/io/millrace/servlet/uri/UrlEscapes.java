package io.millrace.servlet.uri;

/** The percent-escapes of {@link io.millrace.http.PercentEncoding}, for the packages of the servlet layer that use nothing of HTTP. */
public final class UrlEscapes {

    private UrlEscapes() {}

    /** Escapes control characters, spaces, non-ASCII characters and the others not allowed in a URL, as UTF-8. */
    public static String escape(String url) {
        return io.millrace.http.PercentEncoding.escape(url);
    }

    /** Encodes a decoded path: escapes percent signs, question marks, hashes and semicolons as well. */
    public static String encode(String path) {
        return io.millrace.http.PercentEncoding.encode(path);
    }
}
