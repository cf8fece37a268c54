package io.millrace.connector.ajp;

import io.millrace.protocol.RequestFault;

/** The reasons to reject a well-formed request with an error response. */
enum AjpRefusal {
    NO_SECRET(403, true, "no secret; expected the front end to send the connector's secret"),
    WRONG_SECRET(403, true, "a secret other than the connector's"),
    ATTRIBUTE(403, true, "a request attribute that allowedRequestAttributesPattern does not match"),
    BAD_TARGET(400, false, "a query with octets that are not permitted in a request target"),
    BAD_PATH(
            400,
            false,
            "a path that does not begin with a slash, leads above the root, or has a broken, forbidden or encoded slash"),
    BAD_METHOD(400, false, "a method that is not a token"),
    BAD_FIELD(400, true, "a header field whose name is not a token or whose value contains control characters"),
    BAD_HOST(400, false, "a Host field or server name that is not a host"),
    BAD_ADDRESS(400, false, "a client address that is not an IP address"),
    BAD_LENGTH(
            400,
            true,
            "a Content-Length that is not a number, several that differ, or one together with Transfer-Encoding"),
    TOO_MANY_FIELDS(431, true, "more header fields than maxHeaderCount"),
    VERSION(505, false, "an HTTP version other than 0.9, 1.0, 1.1 and 2");

    private final int status;
    private final boolean closing;
    private final String found;

    AjpRefusal(int status, boolean closing, String found) {
        this.status = status;
        this.closing = closing;
        this.found = found;
    }

    /** The refusal for a violation of the rules that all protocols share. */
    static AjpRefusal of(RequestFault fault) {
        return switch (fault) {
            case BAD_METHOD -> BAD_METHOD;
            case BAD_FIELD -> BAD_FIELD;
            case TOO_MANY_FIELDS -> TOO_MANY_FIELDS;
            case DUPLICATE_LENGTH, BAD_LENGTH, HUGE_LENGTH, LENGTH_AND_CODING -> BAD_LENGTH;
            case DUPLICATE_HOST, BAD_HOST, HOST_MISMATCH -> BAD_HOST;
            case BAD_PATH -> BAD_PATH;
            case BAD_QUERY -> BAD_TARGET;
        };
    }

    /** The status of the response. */
    int status() {
        return status;
    }

    /** Whether the connection is closed: the front end is not trusted, or the start of its next packet is unknown. */
    boolean isClosing() {
        return closing;
    }

    /** The cause, for the log. */
    String found() {
        return found;
    }
}
