package io.millrace.servlet.session;

import org.jspecify.annotations.Nullable;

/**
 * The session id of a request that the server pushes (Servlet 4.0, {@code newPushBuilder}).
 *
 * @param id the id that the client would send: that of a session created during the present request, or the one that the
 *     client has sent; null if there is none
 * @param cookieName the cookie with the id; null if it is not sent in a cookie
 * @param urlParameter the path parameter with the id, such as {@code ;jsessionid=}; null if it is not sent in the URL
 */
public record PushedSession(
        @Nullable String id,
        @Nullable String cookieName,
        @Nullable String urlParameter) {}
