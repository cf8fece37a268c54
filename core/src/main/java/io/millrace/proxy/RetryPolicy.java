package io.millrace.proxy;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.http.Method;
import java.util.Set;

/**
 * Decides which requests may be retried after a failure, and which only if that is configured. Nothing has been sent to the
 * client yet. Immutable.
 */
final class RetryPolicy {

    private static final String TIMEOUT = "timeout";
    private static final String MALFORMED = "malformed";

    private final Set<String> causes;

    /** @param causes the value of {@link ProxyOptions#RETRY_ON} */
    RetryPolicy(Set<String> causes) {
        this.causes = causes;
    }

    /** Whether it is a valid element of the option: {@code timeout}, {@code malformed}, or a status from 400 to 599. */
    static boolean isCause(String text) {
        return text.equals(TIMEOUT) || text.equals(MALFORMED) || text.matches("[45]\\d\\d");
    }

    /**
     * Whether a request may be retried. Not if sending its body has begun and the body is not kept; and not if the backend may have
     * processed it, unless it is idempotent.
     */
    boolean mayRetry(ClientException failure, String method, boolean bodyBegun) {
        return !bodyBegun
                && switch (failure.reason()) {
                    case DIAL, TLS, REFUSED, UNSUPPORTED, TOO_MANY_WAITING, WAITED_TOO_LONG -> true;
                    case TIMED_OUT ->
                        failure.processed() == Processed.NO
                                || failure.processed() == Processed.MAYBE && isNamed(TIMEOUT, method);
                    case CLOSED -> failure.processed() == Processed.MAYBE && Method.isIdempotent(method);
                    case MALFORMED -> isNamed(MALFORMED, method);
                    case ABORTED, INTERNAL -> false;
                };
    }

    /** Whether a request may be retried after a response with this status. */
    boolean mayRetry(int status, String method, boolean bodyBegun) {
        return !bodyBegun && isFailure(status) && Method.isIdempotent(method);
    }

    private boolean isNamed(String cause, String method) {
        return causes.contains(cause) && Method.isIdempotent(method);
    }

    /** Whether the status is configured to count as a failure of the backend. */
    boolean isFailure(int status) {
        return !causes.isEmpty() && causes.contains(Integer.toString(status));
    }

    /** Would the same backend probably fail in the same way, so that only another one is tried? */
    static boolean isForOthersOnly(Reason reason) {
        return switch (reason) {
            case UNSUPPORTED, TIMED_OUT, MALFORMED, TOO_MANY_WAITING, WAITED_TOO_LONG -> true;
            case DIAL, TLS, REFUSED, CLOSED, ABORTED, INTERNAL -> false;
        };
    }

    /**
     * Whether processing was never begun, or ended with the connection. A retry then adds no load, and needs no budget, so that no retryable
     * request is lost when a backend stops, however many are in progress.
     */
    static boolean needsNoBudget(Reason reason) {
        return switch (reason) {
            case DIAL, TLS, REFUSED, UNSUPPORTED, CLOSED -> true;
            case TOO_MANY_WAITING, WAITED_TOO_LONG, TIMED_OUT, MALFORMED, ABORTED, INTERNAL -> false;
        };
    }
}
