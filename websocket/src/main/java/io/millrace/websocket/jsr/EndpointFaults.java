package io.millrace.websocket.jsr;

import io.millrace.io.LogThrottle;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Logs exceptions of endpoints without an error handler. An endpoint that sends to a peer which has disconnected meanwhile has
 * done nothing wrong: that is logged once a minute, without a stack trace.
 */
final class EndpointFaults {

    private enum Kind {
        PEER_GONE
    }

    private static final LogThrottle<Kind> THROTTLE = new LogThrottle<>(Kind.class);

    private EndpointFaults() {}

    static void log(JsrSession session, Throwable failure) {
        String endpoint = session.endpoint().getClass().getName();
        if (session.isOpen() || !isOfConnection(failure)) {
            WebSocketLog.LOG.failed(endpoint, failure);
        } else if (THROTTLE.isDue(Kind.PEER_GONE)) {
            WebSocketLog.LOG.peerGone(endpoint, failure.toString().replaceAll("\\p{Cntrl}", "?"));
        }
    }

    private static boolean isOfConnection(Throwable failure) {
        @Nullable Throwable cause = failure;
        while (cause != null && !(cause instanceof IOException) && !(cause instanceof SessionClosedException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }
}
