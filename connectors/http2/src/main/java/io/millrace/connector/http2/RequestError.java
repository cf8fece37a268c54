package io.millrace.connector.http2;

import io.millrace.protocol.RequestFault;

/**
 * Why a request is not dispatched. One that is malformed in the sense of RFC 9113, 8.1.1, has its stream reset; one that breaks
 * a rule of HTTP whatever its version, or a limit, gets an answer.
 */
enum RequestError {
    // malformed
    UPPER_CASE(0, "a field name with upper-case letters"),
    BAD_NAME(0, "a field name that is no token"),
    UNKNOWN_PSEUDO_FIELD(0, "a pseudo-header field that requests do not have"),
    REPEATED_PSEUDO_FIELD(0, "a pseudo-header field twice"),
    LATE_PSEUDO_FIELD(0, "a pseudo-header field behind other fields"),
    MISSING_PSEUDO_FIELD(0, "a request without :method, :scheme or :path, or with an empty :path"),
    BAD_CONNECT(0, "a CONNECT request with :scheme or :path, or without :authority"),
    BAD_EXTENDED_CONNECT(0, "an extended CONNECT request that ends its stream, or whose :protocol is no token"),
    CONNECTION_FIELD(0, "a field of connections, or TE other than trailers"),
    BAD_TRAILERS(0, "trailer fields with a pseudo-header field, or with a malformed field"),
    TRAILERS_TOO_LARGE(0, "trailer fields that are too large or too many", "maxTrailerSize, or maxTrailerCount"),
    // answered
    HEAD_TOO_LARGE(431, "a request head that is too large", "maxHeaderSize"),
    TOO_MANY_FIELDS(RequestFault.TOO_MANY_FIELDS, "maxHeaderCount"),
    BAD_VALUE(RequestFault.BAD_FIELD),
    BAD_METHOD(RequestFault.BAD_METHOD),
    BAD_SCHEME(400, "a :scheme that is neither http nor https"),
    SCHEME_MISMATCH(400, "a :scheme that is not the connection's", "allowSchemeMismatch"),
    MISSING_HOST(400, "neither :authority nor Host"),
    BAD_TARGET(400, "a :path with a character that no request target may hold"),
    BAD_PATH(RequestFault.BAD_PATH),
    DUPLICATE_HOST(RequestFault.DUPLICATE_HOST),
    BAD_HOST(RequestFault.BAD_HOST),
    HOST_MISMATCH(RequestFault.HOST_MISMATCH, "allowHostHeaderMismatch"),
    DUPLICATE_LENGTH(RequestFault.DUPLICATE_LENGTH),
    BAD_LENGTH(RequestFault.BAD_LENGTH),
    HUGE_LENGTH(RequestFault.HUGE_LENGTH),
    UNKNOWN_EXPECTATION(417, "an Expect other than 100-continue");

    private final int status;
    private final String found;
    private final String attribute;

    RequestError(RequestFault fault) {
        this(fault.status(), fault.found(), "");
    }

    RequestError(RequestFault fault, String attribute) {
        this(fault.status(), fault.found(), attribute);
    }

    RequestError(int status, String found) {
        this(status, found, "");
    }

    RequestError(int status, String found, String attribute) {
        this.status = status;
        this.found = found;
        this.attribute = attribute;
    }

    /** What the shared rules of requests have found. */
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

    /** Is the stream reset, rather than answered? */
    boolean isMalformed() {
        return status == 0;
    }

    /** The answer, if there is one. */
    int status() {
        return status;
    }

    /** What was found that should not be there. */
    String found() {
        return found;
    }

    /** The same with the attribute that would allow it, for the operator. */
    String advice() {
        return attribute.isEmpty() ? found : found + "; to allow more, raise or change " + attribute;
    }
}
