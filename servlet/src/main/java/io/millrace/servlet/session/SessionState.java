package io.millrace.servlet.session;

import org.jspecify.annotations.Nullable;

/**
 * What may be done with a session.
 *
 * <pre>
 * state     event    to
 * ALIVE     END      ENDING   invalidated, or idle for too long: the one caller whose event it was tells the listeners
 * ALIVE     PARK     PARKING  not in use: it is being written to a store
 * PARKING   ENTER    ALIVE    a request wants it: what is written is of no use
 * PARKING   END      ENDING
 * PARKING   PARKED   PARKED   the store has it; this object is not it any more
 * ENDING    ENDED    ENDED    the attributes are gone
 * ALIVE     ENTER    ALIVE
 * </pre>
 *
 * <p>While it is ENDING a session answers the application like a live one, for its listeners are told before it goes
 * (Servlet 3.1, 7.5 and HttpSessionListener.sessionDestroyed), but no request finds it any more.
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

    /** Null if the event is too late or makes no sense: nothing happens. */
    static @Nullable SessionState next(SessionState from, Event event) {
        return switch (event) {
            case ENTER -> from == ALIVE || from == PARKING ? ALIVE : null;
            case PARK -> from == ALIVE ? PARKING : null;
            case PARKED -> from == PARKING ? PARKED : null;
            case END -> from == ALIVE || from == PARKING ? ENDING : null;
            case ENDED -> from == ENDING ? ENDED : null;
        };
    }

    /** May the application still call its methods? */
    boolean isUsable() {
        return this != ENDED && this != PARKED;
    }

    /** May a request that has it go on with it? */
    boolean isAlive() {
        return this == ALIVE || this == PARKING;
    }
}
