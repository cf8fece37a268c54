package io.millrace.proxy;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.http.Method;
import java.util.Set;

/**
 * Which requests may be sent to another backend after a failure, and which only if the operator says so. Nothing has reached the
 * client so far. Immutable.
 */
final class RetryPolicy {

    /** Methods that may be sent twice (RFC 9110, 9.2.2). */
    private static final Set<String> IDEMPOTENT =
            Set.of(Method.GET, Method.HEAD, Method.OPTIONS, Method.PUT, Method.DELETE, Method.PROPFIND);

    private static final String TIMEOUT = "timeout";
    private static final String MALFORMED = "malformed";

    private final Set<String> causes;

    /** @param causes those of {@link ProxyOptions#RETRY_ON} */
    RetryPolicy(Set<String> causes) {
        this.causes = causes;
    }

    /** Is it one of those that an operator may name: {@code timeout}, {@code malformed}, or a status that says of a failure? */
    static boolean isCause(String text) {
        return text.equals(TIMEOUT) || text.equals(MALFORMED) || text.matches("[45]\\d\\d");
    }

    /**
     * May it be repeated? Not if any of its body was read, which is not kept; and not if the backend may have acted on it, unless
     * it is idempotent.
     */
    boolean mayRepeat(ClientException failure, String method, boolean bodyBegun) {
        return !bodyBegun
                && switch (failure.reason()) {
                    case DIAL, TLS, REFUSED, UNSUPPORTED, TOO_MANY_WAITING, WAITED_TOO_LONG -> true;
                    case TIMED_OUT ->
                        failure.processed() == Processed.NO
                                || failure.processed() == Processed.MAYBE && isNamed(TIMEOUT, method);
                    case CLOSED -> failure.processed() == Processed.MAYBE && IDEMPOTENT.contains(method);
                    case MALFORMED -> isNamed(MALFORMED, method);
                    case ABORTED, INTERNAL -> false;
                };
    }

    /** The same for one that was answered with this status. */
    boolean mayRepeat(int status, String method, boolean bodyBegun) {
        return !bodyBegun && isFailure(status) && IDEMPOTENT.contains(method);
    }

    private boolean isNamed(String cause, String method) {
        return causes.contains(cause) && IDEMPOTENT.contains(method);
    }

    /** Does the operator count a response of this status as a failure of the backend? */
    boolean isFailure(int status) {
        return !causes.isEmpty() && causes.contains(Integer.toString(status));
    }

    /** Would the same backend fail in the same way, so that a repetition makes sense on another only? */
    static boolean isForOthersOnly(Reason reason) {
        return reason == Reason.UNSUPPORTED || reason == Reason.TIMED_OUT || reason == Reason.MALFORMED;
    }

    /**
     * Was the work for it never begun, or is it lost with its connection? Then repeating it is no more work than the request was, and
     * needs no budget. So none that may be repeated is lost when a backend stops, however many were under way.
     */
    static boolean costsNothing(Reason reason) {
        return switch (reason) {
            case DIAL, TLS, REFUSED, UNSUPPORTED, CLOSED -> true;
            case TOO_MANY_WAITING, WAITED_TOO_LONG, TIMED_OUT, MALFORMED, ABORTED, INTERNAL -> false;
        };
    }
}
