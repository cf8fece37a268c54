package io.millrace.proxy;

import org.jspecify.annotations.Nullable;

/**
 * Whether a backend gets requests.
 *
 * <pre>
 * from       event    to
 * UP         EJECT    EJECTED   five requests failed in a row
 * UP         FALL     DOWN      health checks failed
 * EJECTED    PROBE    PROBING   its pause has expired, and one request is sent
 * EJECTED    SUCCEED  UP        an earlier request got its response
 * EJECTED    FALL     DOWN
 * PROBING    SUCCEED  UP        that request got its response
 * PROBING    EJECT    EJECTED   that request failed
 * PROBING    LEAVE    EJECTED   that request ended otherwise: the next one is sent
 * PROBING    FALL     DOWN
 * DOWN       RISE     UP        health checks succeeded
 * any other  DRAIN    DRAINING  by the operator
 * DRAINING   RESUME   UP        by the operator
 * </pre>
 *
 * All other events are ignored (null). If fewer than half of the backends are UP, all that are not DRAINING get requests: the fault
 * is then more likely elsewhere.
 */
public enum BackendState {
    /** The backend gets its share of the requests. */
    UP,
    /** Requests failed: the backend gets none for some time. */
    EJECTED,
    /** A single request tests whether the backend works again. */
    PROBING,
    /** The backend gets only requests of its own sessions. */
    DRAINING,
    /** Health checks failed: the backend gets no requests until they succeed. */
    DOWN;

    /** The events of a backend. */
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

    /** The next state; null if the event is ignored. */
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
