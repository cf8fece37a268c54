package io.millrace.connector.http2;

import static io.millrace.protocol.RequestViolation.RESET;

import io.millrace.protocol.RequestFault;
import io.millrace.protocol.RequestViolation;

/**
 * The reasons for which a request is not dispatched. The stream of a request that is malformed in the sense of RFC 9113, 8.1.1,
 * is reset; one that violates a rule of all versions of HTTP, or a limit, gets a response.
 */
enum RequestError {
    // malformed
    UPPER_CASE(RESET, "a field name with upper-case letters"),
    BAD_NAME(RESET, "a field name that is not a token"),
    UNKNOWN_PSEUDO_FIELD(RESET, "an unknown pseudo-header field, or one of responses"),
    REPEATED_PSEUDO_FIELD(RESET, "a repeated pseudo-header field"),
    LATE_PSEUDO_FIELD(RESET, "a pseudo-header field after other fields"),
    MISSING_PSEUDO_FIELD(RESET, "a request without :method, :scheme or :path, or with an empty :path"),
    BAD_CONNECT(RESET, "a CONNECT request with :scheme or :path, or without :authority"),
    BAD_EXTENDED_CONNECT(RESET, "an extended CONNECT request that ends its stream, or whose :protocol is not a token"),
    CONNECTION_FIELD(RESET, "a connection-specific field, or TE other than trailers"),
    BAD_TRAILERS(RESET, "trailer fields with a pseudo-header field, or with a malformed field"),
    TRAILERS_TOO_LARGE(RESET, "trailer fields that are too large or too many", "maxTrailerSize, or maxTrailerCount"),
    // rejected with a response
    HEAD_TOO_LARGE(431, "a request head that is too large", "maxHeaderSize"),
    TOO_MANY_FIELDS(RequestFault.TOO_MANY_FIELDS, "maxHeaderCount"),
    BAD_VALUE(RequestFault.BAD_FIELD),
    BAD_METHOD(RequestFault.BAD_METHOD),
    BAD_SCHEME(400, "a :scheme that is neither http nor https"),
    SCHEME_MISMATCH(400, "a :scheme other than the connection's", "allowSchemeMismatch"),
    MISSING_HOST(400, "neither :authority nor Host"),
    BAD_TARGET(400, "a :path with a character that is not permitted in a request target"),
    BAD_PATH(RequestFault.BAD_PATH),
    DUPLICATE_HOST(RequestFault.DUPLICATE_HOST),
    BAD_HOST(RequestFault.BAD_HOST),
    HOST_MISMATCH(RequestFault.HOST_MISMATCH, "allowHostHeaderMismatch"),
    DUPLICATE_LENGTH(RequestFault.DUPLICATE_LENGTH),
    BAD_LENGTH(RequestFault.BAD_LENGTH),
    HUGE_LENGTH(RequestFault.HUGE_LENGTH),
    UNKNOWN_EXPECTATION(417, "an Expect other than 100-continue"),
    UNKNOWN_PROTOCOL(501, "an extended CONNECT with a :protocol other than websocket");

    @SuppressWarnings("ImmutableEnumChecker") // a record of immutable values
    private final RequestViolation violation;

    RequestError(RequestFault fault) {
        violation = new RequestViolation(fault);
    }

    RequestError(RequestFault fault, String attribute) {
        violation = new RequestViolation(fault, attribute);
    }

    RequestError(int status, String found) {
        violation = new RequestViolation(status, found);
    }

    RequestError(int status, String found, String attribute) {
        violation = new RequestViolation(status, found, attribute);
    }

    /** The error for a violation of the rules that all protocols share. */
    static RequestError of(RequestFault fault) {
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
