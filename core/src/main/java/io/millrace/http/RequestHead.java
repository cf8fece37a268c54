package io.millrace.http;

import org.jspecify.annotations.Nullable;

/**
 * The head of a request: everything except the body.
 *
 * @param method as sent; methods are case-sensitive tokens
 * @param target as sent
 * @param path decoded and normalized; {@code *} for the asterisk form, {@code ""} for the authority form
 * @param query the part after the first {@code ?}, as sent; null if there is none
 * @param version the version of the protocol
 * @param scheme {@code http} or {@code https}
 * @param authority host and port: of the target in absolute form, otherwise of the Host field; null if an HTTP/1.0
 *     request has neither
 * @param headers the header fields; the owner of the exchange may modify them
 * @param contentLength the length of the body in bytes; 0 if there is none, -1 if unknown until its end
 */
public record RequestHead(
        String method,
        String target,
        RequestPath path,
        @Nullable String query,
        HttpVersion version,
        String scheme,
        @Nullable String authority,
        Headers headers,
        long contentLength) {

    /** The same request with the scheme, authority and fields that a front end reported. */
    public RequestHead with(String otherScheme, @Nullable String otherAuthority, Headers otherHeaders) {
        return new RequestHead(
                method, target, path, query, version, otherScheme, otherAuthority, otherHeaders, contentLength);
    }
}
