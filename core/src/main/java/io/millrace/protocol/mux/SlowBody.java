package io.millrace.protocol.mux;

import io.millrace.http.Status;
import io.millrace.protocol.BodyRate;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.RequestViolation;

/** Why the rest of a request's body is no longer waited for. */
enum SlowBody {
    STALLED(new RequestViolation(Status.REQUEST_TIMEOUT, "a request body that stopped arriving", "streamReadTimeout")),
    BELOW_RATE(BodyRate.TOO_SLOW);

    @SuppressWarnings("ImmutableEnumChecker") // a record of immutable values
    private final RequestViolation violation;

    SlowBody(RequestViolation violation) {
        this.violation = violation;
    }

    /** The violation, for the response and the log. */
    RequestViolation violation() {
        return violation;
    }

    /** The exception for the reader of the body. */
    ProtocolException exception() {
        return new ProtocolException(
                violation.status(), "The request's body was rejected: found " + violation.advice());
    }
}
