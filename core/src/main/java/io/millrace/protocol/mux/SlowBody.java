package io.millrace.protocol.mux;

import io.millrace.http.Status;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.RequestViolation;
import io.millrace.protocol.UploadRate;

/** Why nobody waits any longer for the rest of a request's body. */
enum SlowBody {
    STALLED(new RequestViolation(Status.REQUEST_TIMEOUT, "a request body that stopped arriving", "streamReadTimeout")),
    BELOW_RATE(UploadRate.TOO_SLOW);

    @SuppressWarnings("ImmutableEnumChecker") // a record of immutable values
    private final RequestViolation violation;

    SlowBody(RequestViolation violation) {
        this.violation = violation;
    }

    /** What to tell the operator. */
    RequestViolation violation() {
        return violation;
    }

    /** What the reader of the body gets. */
    ProtocolException exception() {
        return new ProtocolException(violation.status(), "The request's body was refused: found " + violation.advice());
    }
}
