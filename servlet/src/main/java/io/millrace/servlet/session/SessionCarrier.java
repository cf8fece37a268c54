package io.millrace.servlet.session;

import io.millrace.http.Headers;
import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;

/** The request with a session id, and its response, as {@link RequestSession} uses them. Confined to the request's thread. */
public interface SessionCarrier {

    /** The request's cookies; empty if there are none. */
    Cookie[] cookies();

    /** {@link io.millrace.http.RequestPath#parameters}. */
    @Nullable
    String pathParameters();

    /** Whether the request was sent over https ({@code isSecure}). */
    boolean isSecure();

    /** The id of the connection's TLS session in hexadecimal; null without TLS, or if the session has no id. */
    @Nullable
    String tlsSessionId();

    /** {@code http://host:port/path}, to distinguish links to this application from others. */
    String requestUrl();

    /** Whether the response is committed: its header fields cannot be changed any more. */
    boolean isCommitted();

    /** The User-Agent field; null if there is none, or more than one. */
    @Nullable
    String userAgent();

    /** The client's IP address ({@code getRemoteAddr}). */
    String clientAddress();

    /** The header fields of the response. */
    Headers responseHeaders();
}
