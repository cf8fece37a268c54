package io.millrace.servlet.session;

import org.jspecify.annotations.Nullable;

/**
 * How a request that is pushed brings its session's id.
 *
 * @param id that the client will send: of a session that was made for this request, else the one that it has sent; null if none
 * @param cookieName null if it does not send it in a cookie
 * @param urlParameter with the semicolon before and the equals sign after it; null if it does not send it in its URLs
 */
public record PushedSession(
        @Nullable String id,
        @Nullable String cookieName,
        @Nullable String urlParameter) {}
