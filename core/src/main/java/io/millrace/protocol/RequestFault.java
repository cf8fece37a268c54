package io.millrace.protocol;

import io.millrace.io.ReachedLimits;
import org.jspecify.annotations.Nullable;

/**
 * The reasons for which a request, or its body, is rejected: of all protocols, so that the same fault has the same status and the
 * same words everywhere. A protocol that rejects one counts it, logs it at most once a minute for each reason, and responds, or
 * resets its stream if the fault {@linkplain #isMalformed is malformed} there.
 */
public enum RequestFault {
    // requests of all protocols

    /** RFC 9110, 9.1. */
    BAD_METHOD(400, "a method that is not a token"),
    /** RFC 9110, 5.1 and 5.5. */
    BAD_FIELD(400, "a header field whose name is not a token or whose value has control characters"),
    /** The limit is {@link ProtocolOptions#MAX_HEADER_COUNT}. */
    TOO_MANY_FIELDS(431, "too many header fields", "maxHeaderCount"),
    /** RFC 9110, 8.6. */
    DUPLICATE_LENGTH(400, "more than one Content-Length"),
    /** RFC 9110, 8.6. */
    BAD_LENGTH(400, "a Content-Length that is not a number"),
    /** RFC 9110, 8.6: a recipient must anticipate large numbers. */
    HUGE_LENGTH(413, "a Content-Length of more than 18 digits"),
    /** RFC 9112, 6.1. */
    LENGTH_AND_CODING(400, "both Content-Length and Transfer-Encoding"),
    /** RFC 9112, 3.2. */
    DUPLICATE_HOST(400, "more than one Host field"),
    /** RFC 9110, 4.2.1 and 7.2. */
    BAD_HOST(400, "an authority that is not a host with an optional port"),
    /** RFC 9112, 3.2.2; RFC 9113, 8.3.1. */
    HOST_MISMATCH(400, "a target that names another host than the Host field", "allowHostHeaderMismatch"),
    /** RFC 3986, 3.3, and paths that are dangerous in a file system. */
    BAD_PATH(
            400,
            "a path with an invalid escape, a control byte, a backslash, an encoded slash, or segments that lead"
                    + " above the root"),
    /** RFC 3986, 3.4; such characters could inject lines into an access log. */
    BAD_QUERY(400, "a query with a space or a control character"),
    /** RFC 3986, 3.3 and 3.4. */
    BAD_TARGET(400, "a byte that is not permitted in a request target"),
    /** RFC 9110, 10.1.1. */
    UNKNOWN_EXPECTATION(417, "an Expect other than 100-continue"),
    /** RFC 9110, 15.6.6. */
    UNSUPPORTED_VERSION(505, "an HTTP version other than 1.0 and 1.1"),
    HEAD_TOO_LARGE(431, "a request head that is too large", "maxHttpHeaderSize"),

    // heads of HTTP/1.1 (RFC 9112)

    BARE_LF(400, "a line ends in LF alone; expected CR LF"),
    BARE_CR(400, "a CR that is not followed by LF"),
    TOO_MANY_EMPTY_LINES(400, "too many empty lines before the request"),
    BAD_TARGET_FORM(400, "a request target that is not a path, a URI, an authority (CONNECT) or * (OPTIONS)"),
    BAD_VERSION(400, "no HTTP version after the request target"),
    BAD_FIELD_NAME(400, "a header name that is empty or not immediately followed by a colon"),
    BAD_FIELD_VALUE(400, "a control byte in a header value"),
    FOLDED_FIELD(400, "a header field that continues on the next line"),
    MISSING_HOST(400, "no Host field"),
    CODING_IN_HTTP_1_0(400, "Transfer-Encoding in an HTTP/1.0 request"),
    BAD_CODING(400, "a Transfer-Encoding that is unknown or does not end with a single chunked"),
    UNSUPPORTED_CODING(501, "a Transfer-Encoding other than chunked"),
    LINE_TOO_LONG(414, "a request line that is too long", "maxHttpHeaderSize"),
    HEAD_TOO_SLOW(408, "a request head that did not arrive in time", "connectionTimeout"),

    // bodies; found when a handler reads, and the exchange sends the response

    BODY_TOO_SLOW(408, "a request body that stopped arriving", "connectionTimeout, or connectionUploadTimeout"),
    /** Of a stream of HTTP/2 or SPDY. */
    BODY_STALLED(408, "a request body that stopped arriving", "streamReadTimeout"),
    /** See {@link BodyRate}. */
    BODY_BELOW_RATE(408, "a request body below the minimum rate", "minUploadRate, or minUploadRateGrace"),
    BODY_CUT_OFF(400, "the end of the input within a request body"),
    BAD_CHUNK_SIZE(400, "a chunk size that is not 1 to 15 hex digits"),
    BAD_CHUNK_EXTENSION(400, "a malformed chunk extension"),
    BAD_CHUNK_END(400, "a chunk whose data is not followed by CR LF"),
    EXTENSIONS_TOO_LARGE(400, "chunk extensions that are too large", "maxExtensionSize"),
    TRAILERS_TOO_LARGE(400, "trailer fields that are too large", "maxTrailerSize"),
    TOO_MANY_TRAILERS(400, "too many trailer fields", "maxHeaderCount"),

    // streams of HTTP/2 (RFC 9113, 8) and SPDY (SPDY/3, 3.2.1); the first ones are reset

    UPPER_CASE(Constants.RESET, "a field name with upper-case letters"),
    BAD_NAME(Constants.RESET, "a field name that is not a token"),
    UNKNOWN_PSEUDO_FIELD(Constants.RESET, "an unknown pseudo-header field, or one of responses"),
    REPEATED_PSEUDO_FIELD(Constants.RESET, "a repeated pseudo-header field"),
    REPEATED_FIELD(Constants.RESET, "a repeated field name in a header block"),
    LATE_PSEUDO_FIELD(Constants.RESET, "a pseudo-header field after other fields"),
    MISSING_PSEUDO_FIELD(Constants.RESET, "a request without :method, :scheme or :path, or with an empty :path"),
    EMPTY_VALUE(Constants.RESET, "an empty value among several of a field"),
    BAD_CONNECT(Constants.RESET, "a CONNECT request with :scheme or :path, or without :authority"),
    BAD_EXTENDED_CONNECT(
            Constants.RESET, "an extended CONNECT request that ends its stream, or whose :protocol is not a token"),
    CONNECTION_FIELD(Constants.RESET, "a connection-specific field, or TE other than trailers"),
    UNIDIRECTIONAL(Constants.RESET, "a request on a unidirectional stream"),
    BAD_TRAILERS(
            Constants.RESET,
            "trailer fields that do not end the stream, or have a pseudo-header field or a malformed one"),
    STREAM_TRAILERS_TOO_LARGE(
            Constants.RESET, "trailer fields that are too large or too many", "maxTrailerSize, or maxTrailerCount"),
    FIELD_LIST_TOO_LARGE(431, "a request head that is too large", "maxHeaderSize"),
    INCOMPLETE_HEAD(400, "a request without :method, :path, :version, :host or :scheme"),
    BAD_SCHEME(400, "a :scheme that is neither http nor https"),
    SCHEME_MISMATCH(400, "a :scheme other than the connection's", "allowSchemeMismatch"),
    MISSING_AUTHORITY(400, "neither :authority nor Host"),
    UNKNOWN_PROTOCOL(501, "an extended CONNECT with a :protocol other than websocket"),
    UNSUPPORTED_CONNECT(501, "CONNECT, which is not supported"),

    // requests that a front end forwards by AJP

    NO_SECRET(403, "no secret; expected the front end to send the connector's secret"),
    WRONG_SECRET(403, "a secret other than the connector's"),
    FORBIDDEN_ATTRIBUTE(403, "a request attribute that allowedRequestAttributesPattern does not match"),
    BAD_ADDRESS(400, "a client address that is not an IP address"),
    UNKNOWN_VERSION(505, "an HTTP version other than 0.9, 1.0, 1.1 and 2");

    private final int status;
    private final String found;
    private final String attribute;

    RequestFault(int status, String found) {
        this(status, found, "");
    }

    RequestFault(int status, String found, String attribute) {
        this.status = status;
        this.found = found;
        this.attribute = attribute;
    }

    /** Constants of an enum cannot refer to its static fields. */
    private static final class Constants {

        /** In place of a status. */
        private static final int RESET = 0;
    }

    /** The status of the response; 0 if there is none. */
    public int status() {
        return status;
    }

    /** What was found. */
    public String found() {
        return found;
    }

    /** Whether the stream is reset instead of a response being sent, as RFC 9113, 8.1.1 requires for malformed requests. */
    public boolean isMalformed() {
        return status == Constants.RESET;
    }

    /** Which of two faults in a head is reported: the first one, or the first that makes the request malformed. */
    public static @Nullable RequestFault first(@Nullable RequestFault before, @Nullable RequestFault found) {
        boolean worse = found != null && (before == null || found.isMalformed() && !before.isMalformed());
        return worse ? found : before;
    }

    /** Counts the fault, if there is an attribute that would allow it; of several the first one. */
    public void countIn(ReachedLimits limits) {
        if (!attribute.isEmpty()) {
            int end = attribute.indexOf(',');
            limits.exceeded(end < 0 ? attribute : attribute.substring(0, end));
        }
    }

    /** What was found, and the Connector attribute that would allow it; for operators. */
    public String advice() {
        return attribute.isEmpty() ? found : found + "; to allow more, raise or change " + attribute;
    }

    /** The exception for a handler that reads the body. */
    public ProtocolException inBody() {
        return new ProtocolException(status, "The request's body was rejected: found " + advice());
    }
}
