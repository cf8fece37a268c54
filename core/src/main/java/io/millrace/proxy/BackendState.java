package io.millrace.proxy;

import org.jspecify.annotations.Nullable;

/**
 * Whether a backend gets requests.
 *
 * <pre>
 * from       event    to
 * UP         EJECT    EJECTED   five requests failed in a row
 * UP         FALL     DOWN      health checks failed
 * EJECTED    PROBE    PROBING   its pause is over, and a request was let through
 * EJECTED    SUCCEED  UP        a request that it had got before was answered
 * EJECTED    FALL     DOWN
 * PROBING    SUCCEED  UP        that request was answered
 * PROBING    EJECT    EJECTED   it failed
 * PROBING    LEAVE    EJECTED   it ended otherwise: the next one is let through
 * PROBING    FALL     DOWN
 * DOWN       RISE     UP        health checks succeeded
 * any other  DRAIN    DRAINING  by the operator
 * DRAINING   RESUME   UP        by the operator
 * </pre>
 *
 * Everything else changes nothing (null). Where less than half of the backends are UP, all that are not DRAINING get requests: then
 * the fault is more likely elsewhere.
 */
public enum BackendState {
    /** The backend gets its share of the requests. */
    UP,
    /** Requests failed: the backend gets none for some time. */
    EJECTED,
    /** One request tests whether the backend answers again. */
    PROBING,
    /** It gets only requests that belong to its sessions. */
    DRAINING,
    /** Health checks failed: the backend gets no requests until they succeed. */
    DOWN;

    /** What happens to a backend. */
    enum Event {
        EJECT,
        PROBE,
        SUCCEED,
        LEAVE,
        FALL,
        RISE,
        DRAIN,
        RESUME
    }

    /** Where the event leads; null if it changes nothing. */
    static @Nullable BackendState next(BackendState from, Event event) {
        return switch (event) {
            case EJECT -> from == UP || from == PROBING ? EJECTED : null;
            case PROBE -> from == EJECTED ? PROBING : null;
            case SUCCEED -> from == EJECTED || from == PROBING ? UP : null;
            case LEAVE -> from == PROBING ? EJECTED : null;
            case FALL -> from == UP || from == EJECTED || from == PROBING ? DOWN : null;
            case RISE -> from == DOWN ? UP : null;
            case DRAIN -> from == DRAINING ? null : DRAINING;
            case RESUME -> from == DRAINING ? UP : null;
        };
    }
}
