package io.millrace.protocol;

/**
 * What a request has wrong, for the client that is told and for the operator who reads the log. Each protocol lists its own,
 * beside those of {@link RequestFault}.
 *
 * @param status of the answer; {@link #RESET} if there is none
 * @param found what was found that should not be there
 * @param attribute the attribute of the Connector that would allow it; empty if none would
 */
public record RequestViolation(int status, String found, String attribute) {

    /** Instead of a status: the request's stream is reset, as RFC 9113, 8.1.1, asks for what is malformed. */
    public static final int RESET = 0;

    /** Which no attribute would allow. */
    public RequestViolation(int status, String found) {
        this(status, found, "");
    }

    /** Of the rules that all protocols share. */
    public RequestViolation(RequestFault fault) {
        this(fault, "");
    }

    /** The same where an attribute would allow it. */
    public RequestViolation(RequestFault fault, String attribute) {
        this(fault.status(), fault.found(), attribute);
    }

    /** Is the stream reset, rather than answered? */
    public boolean isMalformed() {
        return status == RESET;
    }

    /** What was found, with the attribute that would allow it, for the operator. */
    public String advice() {
        return attribute.isEmpty() ? found : found + "; to allow more, raise or change " + attribute;
    }
}
