package io.millrace.servlet.session;

import org.jspecify.annotations.Nullable;

/**
 * The state of a session.
 *
 * <pre>
 * state     event    to
 * ALIVE     END      ENDING   invalidated or expired: the successful caller notifies the listeners
 * ALIVE     PARK     PARKING  idle: it is being written to a store
 * PARKING   ENTER    ALIVE    a request uses it: the copy is outdated
 * PARKING   END      ENDING
 * PARKING   PARKED   PARKED   the store has it; this object is no longer used
 * ENDING    ENDED    ENDED    the attributes have been removed
 * ALIVE     ENTER    ALIVE
 * </pre>
 *
 * <p>In the state ENDING no request finds the session any more, but its methods still work, because listeners are notified
 * before it ends (Servlet 3.1, 7.5 and HttpSessionListener.sessionDestroyed).
 */
enum SessionState {
    ALIVE,
    PARKING,
    PARKED,
    ENDING,
    ENDED;

    enum Event {
        ENTER,
        PARK,
        PARKED,
        END,
        ENDED
    }

    /** The next state; null if the event is not permitted in this state and must be ignored. */
    static @Nullable SessionState next(SessionState from, Event event) {
        return switch (event) {
            case ENTER -> from == ALIVE || from == PARKING ? ALIVE : null;
            case PARK -> from == ALIVE ? PARKING : null;
            case PARKED -> from == PARKING ? PARKED : null;
            case END -> from == ALIVE || from == PARKING ? ENDING : null;
            case ENDED -> from == ENDING ? ENDED : null;
        };
    }

    /** Whether the application may call the session's methods. */
    boolean isUsable() {
        return this != ENDED && this != PARKED;
    }

    /** Whether requests may use the session. */
    boolean isAlive() {
        return this == ALIVE || this == PARKING;
    }
}
