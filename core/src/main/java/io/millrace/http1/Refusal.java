package io.millrace.http1;

import io.millrace.protocol.BodyRate;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.RequestViolation;
import org.jspecify.annotations.Nullable;

/** The reasons for rejecting a request or its body, with the status of the response and texts for client and operator. */
enum Refusal {
    BARE_LF(400, "a line ends in LF alone; expected CR LF"),
    BARE_CR(400, "a CR that is not followed by LF"),
    TOO_MANY_EMPTY_LINES(400, "too many empty lines before the request"),
    BAD_METHOD(400, "an invalid byte in the method"),
    BAD_TARGET(400, "an invalid byte in the request target"),
    BAD_TARGET_FORM(400, "a request target that is not a path, a URI, an authority (CONNECT) or * (OPTIONS)"),
    BAD_PATH(RequestFault.BAD_PATH),
    BAD_VERSION(400, "no HTTP version after the request target"),
    UNSUPPORTED_VERSION(505, "an HTTP version other than 1.0 and 1.1"),
    BAD_FIELD_NAME(400, "a header name that is empty or not immediately followed by a colon"),
    BAD_FIELD_VALUE(400, "a control byte in a header value"),
    FOLDED_FIELD(400, "a header field that continues on the next line"),
    MISSING_HOST(400, "no Host field"),
    DUPLICATE_HOST(RequestFault.DUPLICATE_HOST),
    BAD_HOST(RequestFault.BAD_HOST),
    HOST_MISMATCH(RequestFault.HOST_MISMATCH, "allowHostHeaderMismatch"),
    DUPLICATE_LENGTH(RequestFault.DUPLICATE_LENGTH),
    BAD_LENGTH(RequestFault.BAD_LENGTH),
    HUGE_LENGTH(RequestFault.HUGE_LENGTH),
    LENGTH_AND_CODING(RequestFault.LENGTH_AND_CODING),
    CODING_IN_HTTP_1_0(400, "Transfer-Encoding in an HTTP/1.0 request"),
    BAD_CODING(400, "a Transfer-Encoding that is unknown or does not end with a single chunked"),
    UNSUPPORTED_CODING(501, "a Transfer-Encoding other than chunked"),
    UNKNOWN_EXPECTATION(417, "an Expect other than 100-continue"),
    LINE_TOO_LONG(414, "a request line that is too long", "maxHttpHeaderSize"),
    HEAD_TOO_LARGE(431, "a request head that is too large", "maxHttpHeaderSize"),
    TOO_MANY_FIELDS(RequestFault.TOO_MANY_FIELDS, "maxHeaderCount"),
    HEAD_TOO_SLOW(408, "a request head that did not arrive in time", "connectionTimeout"),

    // violations in a body, found when a handler reads it; the exchange sends the response

    BODY_TOO_SLOW(408, "a request body that stopped arriving", "connectionTimeout, or connectionUploadTimeout"),
    BODY_BELOW_RATE(BodyRate.TOO_SLOW),
    BODY_CUT_OFF(400, "the end of the input within a request body"),
    BAD_CHUNK_SIZE(400, "a chunk size that is not 1 to 15 hex digits"),
    BAD_CHUNK_EXTENSION(400, "a malformed chunk extension"),
    BAD_CHUNK_END(400, "a chunk whose data is not followed by CR LF"),
    EXTENSIONS_TOO_LARGE(400, "chunk extensions that are too large", "maxExtensionSize"),
    TRAILERS_TOO_LARGE(400, "trailer fields that are too large", "maxTrailerSize"),
    TOO_MANY_TRAILERS(400, "too many trailer fields", "maxHeaderCount");

    @SuppressWarnings("ImmutableEnumChecker") // a record of immutable values
    private final RequestViolation violation;

    Refusal(RequestFault fault) {
        violation = new RequestViolation(fault);
    }

    Refusal(RequestFault fault, String attribute) {
        violation = new RequestViolation(fault, attribute);
    }

    Refusal(RequestViolation violation) {
        this.violation = violation;
    }

    Refusal(int status, String found) {
        violation = new RequestViolation(status, found);
    }

    Refusal(int status, String found, String attribute) {
        violation = new RequestViolation(status, found, attribute);
    }

    /** The refusal for this fault; null for null. */
    static @Nullable Refusal of(@Nullable RequestFault fault) {
        return fault == null
                ? null
                : switch (fault) {
                    case BAD_METHOD -> BAD_METHOD;
                    case BAD_FIELD -> BAD_FIELD_VALUE;
                    case TOO_MANY_FIELDS -> TOO_MANY_FIELDS;
                    case DUPLICATE_LENGTH -> DUPLICATE_LENGTH;
                    case BAD_LENGTH -> BAD_LENGTH;
                    case HUGE_LENGTH -> HUGE_LENGTH;
                    case LENGTH_AND_CODING -> LENGTH_AND_CODING;
                    case DUPLICATE_HOST -> DUPLICATE_HOST;
                    case BAD_HOST -> BAD_HOST;
                    case HOST_MISMATCH -> HOST_MISMATCH;
                    case BAD_PATH -> BAD_PATH;
                    case BAD_QUERY -> BAD_TARGET;
                };
    }

    /** The violation, for the response and the log. */
    RequestViolation violation() {
        return violation;
    }
}
