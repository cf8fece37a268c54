package io.millrace.connector.http2;

import io.millrace.http.EncodedSlash;
import io.millrace.protocol.mux.MuxOptions;
import java.nio.charset.Charset;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limits and leniencies of HTTP/2 on one connector, with Tomcat's names. Immutable; {@link #builder} makes them.
 *
 * @param streams windows, timeouts, and how many requests a connection may have under way
 * @param maxHeaderSize octets of a request's header fields, names and values together (431)
 * @param maxHeaderCount header fields of a request (431)
 * @param maxTrailerSize octets of the fields after a request's body; more reset the stream
 * @param maxTrailerCount fields after a request's body; more reset the stream
 * @param allowedTrailerHeaders names, in lower case, of the trailer fields that are kept; null for all
 * @param encodedSolidusHandling what becomes of {@code %2F} in a path
 * @param relaxedPathChars characters that a path may hold although RFC 3986 forbids it
 * @param relaxedQueryChars the same for the query
 * @param pathCharset what escaped octets of a path are
 * @param allowHostHeaderMismatch may {@code :authority} name another host than Host does?
 * @param allowSchemeMismatch may {@code :scheme} be another than that of the connection? Behind a front end that ends TLS it is
 * @param server the Server field of each response; null for none
 */
public record Http2Options(
        MuxOptions streams,
        int maxHeaderSize,
        int maxHeaderCount,
        int maxTrailerSize,
        int maxTrailerCount,
        @Nullable Set<String> allowedTrailerHeaders,
        EncodedSlash encodedSolidusHandling,
        String relaxedPathChars,
        String relaxedQueryChars,
        Charset pathCharset,
        boolean allowHostHeaderMismatch,
        boolean allowSchemeMismatch,
        @Nullable String server) {

    /** What a connector has that says nothing. */
    public static final Http2Options DEFAULTS = builder().build();

    /** The defaults, to be changed. */
    public static Http2OptionsBuilder builder() {
        return new Http2OptionsBuilder();
    }
}
