package io.millrace.http;

import java.util.Set;

/**
 * The registered methods that the server handles (RFC 9110, 9.3; RFC 5789; RFC 4918). Any other token is a valid method
 * too.
 */
public final class Method {

    public static final String GET = "GET";
    public static final String HEAD = "HEAD";
    public static final String POST = "POST";
    public static final String PUT = "PUT";
    public static final String DELETE = "DELETE";
    public static final String CONNECT = "CONNECT";
    public static final String OPTIONS = "OPTIONS";
    public static final String TRACE = "TRACE";
    public static final String PATCH = "PATCH";
    public static final String PROPFIND = "PROPFIND";

    private static final Set<String> IDEMPOTENT = Set.of(GET, HEAD, PUT, DELETE, OPTIONS, TRACE, PROPFIND);

    private Method() {}

    /** Whether several requests have the same intended effect as one (RFC 9110, 9.2.2), so that one may be sent again. */
    public static boolean isIdempotent(String method) {
        return IDEMPOTENT.contains(method);
    }

    /**
     * Whether requests of this method usually have a body, so that one without a body is sent with {@code
     * Content-Length: 0} (RFC 9110, 8.6).
     */
    public static boolean announcesNothing(String method) {
        return method.equals(POST) || method.equals(PUT) || method.equals(PATCH);
    }
}
