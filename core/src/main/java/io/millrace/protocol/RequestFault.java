package io.millrace.protocol;

/**
 * Faults of requests that are common to all protocols, with the status of the response. Each protocol has further ones,
 * for its syntax.
 */
public enum RequestFault {
    /** RFC 9110, 9.1. */
    BAD_METHOD(400, "a method that is not a token"),
    /** RFC 9110, 5.1 and 5.5. */
    BAD_FIELD(400, "a header field whose name is not a token or whose value has control characters"),
    /** The limit is {@link ProtocolOptions#MAX_HEADER_COUNT}. */
    TOO_MANY_FIELDS(431, "too many header fields"),
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
    HOST_MISMATCH(400, "a target that names another host than the Host field"),
    /** RFC 3986, 3.3, and paths that are dangerous in a file system. */
    BAD_PATH(
            400,
            "a path with an invalid escape, a control byte, a backslash, an encoded slash, or segments that lead"
                    + " above the root"),
    /** RFC 3986, 3.4; such characters could inject lines into an access log. */
    BAD_QUERY(400, "a query with a space or a control character");

    private final int status;
    private final String found;

    RequestFault(int status, String found) {
        this.status = status;
        this.found = found;
    }

    /** The status of the response. */
    public int status() {
        return status;
    }

    /** What was found. */
    public String found() {
        return found;
    }
}
