package io.millrace.connector.spdy;

import static io.millrace.protocol.RequestViolation.RESET;

import io.millrace.protocol.RequestFault;
import io.millrace.protocol.RequestViolation;

/**
 * The reasons for which a request is not dispatched. For a stream error of SPDY the stream is reset; a request that violates a
 * rule of all versions of HTTP, or a limit, or is incomplete (SPDY/3, 3.2.1), gets a response.
 */
enum SpdyRequestError {
    // malformed
    UNIDIRECTIONAL(RESET, "a request on a unidirectional stream"),
    UPPER_CASE(RESET, "a field name with upper-case letters"),
    BAD_NAME(RESET, "a field name that is not a token"),
    UNKNOWN_SPECIAL_FIELD(RESET, "an unknown field that begins with a colon"),
    REPEATED_FIELD(RESET, "a repeated field name in a header block"),
    EMPTY_VALUE(RESET, "an empty value among several of a field"),
    CONNECTION_FIELD(RESET, "a connection-specific field, or TE other than trailers"),
    BAD_TRAILERS(RESET, "trailer fields that do not end the stream, begin with a colon, or are malformed"),
    TRAILERS_TOO_LARGE(RESET, "trailer fields that are too large or too many", "maxTrailerSize, or maxTrailerCount"),
    // rejected with a response
    HEAD_TOO_LARGE(431, "a request head that is too large", "maxHttpHeaderSize"),
    TOO_MANY_FIELDS(RequestFault.TOO_MANY_FIELDS, "maxHeaderCount"),
    MISSING_FIELD(400, "a request without :method, :path, :version, :host or :scheme"),
    BAD_VERSION(505, "a :version that is neither HTTP/1.1 nor HTTP/1.0"),
    BAD_VALUE(RequestFault.BAD_FIELD),
    BAD_METHOD(RequestFault.BAD_METHOD),
    TUNNEL(501, "CONNECT, which is not supported"),
    BAD_SCHEME(400, "a :scheme that is neither http nor https"),
    SCHEME_MISMATCH(400, "a :scheme other than the connection's", "allowSchemeMismatch"),
    BAD_TARGET(400, "a :path with a character that is not permitted in a request target"),
    BAD_PATH(RequestFault.BAD_PATH),
    DUPLICATE_HOST(RequestFault.DUPLICATE_HOST),
    BAD_HOST(RequestFault.BAD_HOST),
    HOST_MISMATCH(RequestFault.HOST_MISMATCH, "allowHostHeaderMismatch"),
    DUPLICATE_LENGTH(RequestFault.DUPLICATE_LENGTH),
    BAD_LENGTH(RequestFault.BAD_LENGTH),
    HUGE_LENGTH(RequestFault.HUGE_LENGTH),
    UNKNOWN_EXPECTATION(417, "an Expect other than 100-continue");

    @SuppressWarnings("ImmutableEnumChecker") // a record of immutable values
    private final RequestViolation violation;

    SpdyRequestError(RequestFault fault) {
        violation = new RequestViolation(fault);
    }

    SpdyRequestError(RequestFault fault, String attribute) {
        violation = new RequestViolation(fault, attribute);
    }

    SpdyRequestError(int status, String found) {
        violation = new RequestViolation(status, found);
    }

    SpdyRequestError(int status, String found, String attribute) {
        violation = new RequestViolation(status, found, attribute);
    }

    /** The error for a violation of the rules that all protocols share. */
    static SpdyRequestError of(RequestFault fault) {
        return switch (fault) {
            case BAD_METHOD -> BAD_METHOD;
            case BAD_FIELD -> BAD_VALUE;
            case TOO_MANY_FIELDS -> TOO_MANY_FIELDS;
            case DUPLICATE_LENGTH -> DUPLICATE_LENGTH;
            case BAD_LENGTH -> BAD_LENGTH;
            case HUGE_LENGTH -> HUGE_LENGTH;
            case LENGTH_AND_CODING -> CONNECTION_FIELD;
            case DUPLICATE_HOST -> DUPLICATE_HOST;
            case BAD_HOST -> BAD_HOST;
            case HOST_MISMATCH -> HOST_MISMATCH;
            case BAD_PATH -> BAD_PATH;
            case BAD_QUERY -> BAD_TARGET;
        };
    }

    /** The response and the log message. */
    RequestViolation violation() {
        return violation;
    }
}
