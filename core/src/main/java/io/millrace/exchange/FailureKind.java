package io.millrace.exchange;

import io.millrace.http.Status;
import io.millrace.io.ShortageLogging;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.ResetReason;
import org.jspecify.annotations.Nullable;

/** Who caused the failure of an exchange: the client, the connection, or the server. */
enum FailureKind {
    /** The request is invalid: the response has the status of the exception, and nothing is logged. */
    CLIENT_ERROR,
    /** The connection is broken: no response can be sent. */
    DISCONNECTED,
    /**
     * A handler failed: the response is 500, and an error is logged; if the process is out of file descriptors, 503, and it is logged
     * once a minute.
     */
    SERVER_ERROR;

    static FailureKind of(Throwable failure, ExchangeOutput output, @Nullable ExchangeInput input) {
        return switch (ResetReason.of(failure)) {
            case PROTOCOL -> CLIENT_ERROR;
            case CANCEL, REFUSED, TIMEOUT -> DISCONNECTED;
            case INTERNAL -> {
                boolean broken = output.state() == ResponseState.FAILED || input != null && input.isBroken();
                yield broken ? DISCONNECTED : SERVER_ERROR;
            }
        };
    }

    /** The status of the response. */
    int status(Throwable failure) {
        ProtocolException refusal = ResetReason.find(failure, ProtocolException.class);
        if (refusal != null) {
            return refusal.status();
        }
        return ShortageLogging.isOutOfDescriptors(failure) ? Status.SERVICE_UNAVAILABLE : Status.INTERNAL_SERVER_ERROR;
    }
}
