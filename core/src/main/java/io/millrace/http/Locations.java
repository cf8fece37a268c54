package io.millrace.http;

/** Makes the location of a redirect absolute (RFC 3986, 5.2), without rejecting invalid URLs. */
public final class Locations {

    private Locations() {}

    /**
     * Resolves against the request's URI; with a leading slash, against the server's root (Servlet 3.1, 5.4).
     *
     * @param url escaped
     */
    public static String absolute(String url, String requestUrl) {
        return hasScheme(url) ? url : resolve(requestUrl, url);
    }

    /** Whether it begins with a scheme: {@code https://host/}, {@code mailto:x}. */
    static boolean hasScheme(String url) {
        for (int i = 0; i < url.length(); i++) {
            char c = url.charAt(i);
            if (c == ':') {
                return i > 0;
            }
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
            boolean other = c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.';
            if (!letter && !(other && i > 0)) {
                return false;
            }
        }
        return false;
    }

    /**
     * The absolute URL.
     *
     * @param base the request's URL, without a query
     * @param url has no scheme
     */
    static String resolve(String base, String url) {
        int authority = base.indexOf("://") + 3;
        if (url.startsWith("//")) {
            return base.substring(0, authority - 2) + url;
        }
        int root = base.indexOf('/', authority);
        String server = root < 0 ? base : base.substring(0, root);
        String path = root < 0 ? "/" : base.substring(root);
        if (url.startsWith("/")) {
            return server + withoutDots(url);
        }
        if (url.isEmpty() || url.startsWith("?") || url.startsWith("#")) {
            return server + path + url;
        }
        return server + withoutDots(path.substring(0, path.lastIndexOf('/') + 1) + url);
    }

    /** Removes dot segments (RFC 3986, 5.2.4) of the path before a query or fragment. */
    private static String withoutDots(String pathAndQuery) {
        int end = 0;
        while (end < pathAndQuery.length() && "?#".indexOf(pathAndQuery.charAt(end)) < 0) {
            end++;
        }
        String path = pathAndQuery.substring(0, end);
        if (!path.contains("/.")) {
            return pathAndQuery;
        }
        StringBuilder out = new StringBuilder();
        String[] segments = path.substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            boolean last = i == segments.length - 1;
            switch (segments[i]) {
                case "." -> out.append(last ? "/" : "");
                case ".." -> {
                    out.setLength(Math.max(0, out.lastIndexOf("/")));
                    out.append(last ? "/" : "");
                }
                default -> out.append('/').append(segments[i]);
            }
        }
        return out + pathAndQuery.substring(end);
    }
}
