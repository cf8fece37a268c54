package io.millrace.http;

import org.jspecify.annotations.Nullable;

/**
 * A request without its body.
 *
 * @param method as sent; methods are case-sensitive tokens
 * @param target as sent
 * @param path the path, decoded and normalised; {@code *} for asterisk-form, {@code ""} for authority-form
 * @param query what follows the first {@code ?}, as sent; null if there is none
 * @param version the version of HTTP it was sent with
 * @param scheme {@code http} or {@code https}
 * @param authority host and port it was sent to (absolute-form before Host); null where HTTP/1.0 gave none
 * @param headers the header fields; the owner of the exchange may change them
 * @param contentLength the body's length in bytes; 0 if there is none, -1 if unknown until its end
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

    /** The same request, sent to another place and with other fields: what it was before a front end relayed it. */
    public RequestHead with(String otherScheme, @Nullable String otherAuthority, Headers otherHeaders) {
        return new RequestHead(
                method, target, path, query, version, otherScheme, otherAuthority, otherHeaders, contentLength);
    }
}
