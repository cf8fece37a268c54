package io.millrace.servlet.session;

import io.millrace.http.Headers;
import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;

/** The request that brings a session's id and the response that takes it back. */
public interface SessionCarrier {

    /** The request's cookies; empty if there are none. */
    Cookie[] cookies();

    /** {@link io.millrace.http.RequestPath#parameters}. */
    @Nullable
    String pathParameters();

    /** True if the request came encrypted. */
    boolean isSecure();

    /** The id of the TLS session the request came by, in hexadecimal; null if it came by none that has an id. */
    @Nullable
    String tlsSessionId();

    /** {@code http://host:port/path}, to tell links to ourselves from links to others. */
    String requestUrl();

    /** True if the response's head can't be changed any more. */
    boolean isCommitted();

    /** Null if there is none, or there are several. */
    @Nullable
    String userAgent();

    /** The client's, as getRemoteAddr has it. */
    String clientAddress();

    /** The response's fields. */
    Headers responseHeaders();
}
