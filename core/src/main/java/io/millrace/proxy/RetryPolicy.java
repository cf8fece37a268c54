package io.millrace.proxy;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.http.Method;
import java.util.Set;

/** Which requests may be sent to another backend after a failure. Nothing has reached the client so far. */
final class RetryPolicy {

    /** Methods that may be sent twice (RFC 9110, 9.2.2). */
    private static final Set<String> IDEMPOTENT =
            Set.of(Method.GET, Method.HEAD, Method.OPTIONS, Method.PUT, Method.DELETE, Method.PROPFIND);

    private RetryPolicy() {}

    /**
     * May it be repeated? Not if any of its body was read, which is not kept; and not if the backend may have acted on it, unless
     * it is idempotent.
     */
    static boolean mayRepeat(ClientException failure, String method, boolean bodyBegun) {
        return !bodyBegun
                && switch (failure.reason()) {
                    case DIAL, TLS, REFUSED, TOO_MANY_WAITING, WAITED_TOO_LONG -> true;
                    case TIMED_OUT -> failure.processed() == Processed.NO;
                    case CLOSED -> failure.processed() == Processed.MAYBE && IDEMPOTENT.contains(method);
                    case MALFORMED, ABORTED, UNSUPPORTED, INTERNAL -> false;
                };
    }

    /**
     * Was the work for it never begun, or is it lost with its connection? Then repeating it is no more work than the request was, and
     * needs no budget. So none that may be repeated is lost when a backend stops, however many were under way.
     */
    static boolean costsNothing(ClientException failure) {
        return switch (failure.reason()) {
            case DIAL, TLS, REFUSED, CLOSED -> true;
            case TOO_MANY_WAITING, WAITED_TOO_LONG, TIMED_OUT, MALFORMED, ABORTED, UNSUPPORTED, INTERNAL -> false;
        };
    }
}
