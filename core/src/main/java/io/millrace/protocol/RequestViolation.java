package io.millrace.protocol;

import io.millrace.io.ReachedLimits;

/**
 * A violation found in a request, for the response and for the log. Each protocol defines its own, besides those of
 * {@link RequestFault}.
 *
 * @param status the status of the response; {@link #RESET} if there is none
 * @param found what was found
 * @param attribute the Connector attribute that would allow it; empty if there is none
 */
public record RequestViolation(int status, String found, String attribute) {

    /** In place of a status: the stream is reset, as RFC 9113, 8.1.1 requires for malformed requests. */
    public static final int RESET = 0;

    /** A violation that no attribute allows. */
    public RequestViolation(int status, String found) {
        this(status, found, "");
    }

    /** A violation of the rules that all protocols share. */
    public RequestViolation(RequestFault fault) {
        this(fault, "");
    }

    /** A violation of the rules that all protocols share, and the attribute that would allow it. */
    public RequestViolation(RequestFault fault, String attribute) {
        this(fault.status(), fault.found(), attribute);
    }

    /** Whether the stream is reset instead of a response being sent. */
    public boolean isMalformed() {
        return status == RESET;
    }

    /** Counts the violation, if there is an attribute that would allow it; of several the first one. */
    public void countIn(ReachedLimits limits) {
        if (!attribute.isEmpty()) {
            int end = attribute.indexOf(',');
            limits.exceeded(end < 0 ? attribute : attribute.substring(0, end));
        }
    }

    /** What was found, and the attribute that would allow it; for operators. */
    public String advice() {
        return attribute.isEmpty() ? found : found + "; to allow more, raise or change " + attribute;
    }
}
