package io.millrace.protocol.serial;

import org.jspecify.annotations.Nullable;

/**
 * Whose a connection's input is while an exchange has the connection: the body's readers, or the {@link DisconnectWatch}, which has
 * the transport watch for input although no reader needs it.
 *
 * <pre>
 * from      event    to        meaning
 * OFF       READ     READING   the exchange reads from the connection
 * READING   DONE     OFF
 * OFF       WATCH    WATCHING  the exchange waits for something else: the transport waits for the peer meanwhile
 * WATCHING  CALL     LOOKING   the transport's thread reads ahead
 * LOOKING   AGAIN    WATCHING  the transport waits anew
 * LOOKING   ENOUGH   FOUND     as much is kept as may be, or the end was seen: the transport waits no more
 * FOUND     READ     READING   it is read
 * FOUND     AWAIT    OFF       the waiting reader is called at once
 * OFF       AWAIT    AWAITED   the exchange waits for its body, and the transport for the peer
 * WATCHING  AWAIT    AWAITED   a reader is waiting by now: the next call is for it
 * AWAITED   CALL     OFF       he is called
 * AWAITED   GO_ON    WATCHING  he need not wait: something had been found a moment before
 * LOOKING   AWAIT    EXPECTED  the same while the transport's thread is still looking
 * EXPECTED  AGAIN    OFF       it calls him, perhaps for nothing
 * EXPECTED  ENOUGH   OFF
 * OFF       CALL     OFF       the wait was none of an exchange's
 * READING   CALL     READING   the same; a thread reads although its exchange has ended
 * any       WATCH    -         otherwise somebody will find out himself, or it was found
 * any       READ     -         otherwise the input is the transport's: only what was found can be read
 * any       GO_ON    -         otherwise he was called already
 * </pre>
 *
 * Everything else is a defect of ours.
 */
enum DisconnectWatchState {
    OFF,
    READING,
    WATCHING,
    LOOKING,
    EXPECTED,
    AWAITED,
    FOUND;

    enum Event {
        READ,
        DONE,
        WATCH,
        CALL,
        AGAIN,
        ENOUGH,
        AWAIT,
        GO_ON
    }

    /** Null: the event is refused, and changes nothing. */
    static @Nullable DisconnectWatchState next(DisconnectWatchState from, Event event) {
        return switch (event) {
            case READ -> from == OFF || from == FOUND ? READING : null;
            case WATCH -> from == OFF ? WATCHING : null;
            case DONE -> from == READING ? OFF : illegal(from, event);
            case CALL -> called(from);
            case AGAIN -> looked(from, WATCHING);
            case ENOUGH -> looked(from, FOUND);
            case AWAIT -> awaited(from);
            case GO_ON -> from == AWAITED ? WATCHING : null;
        };
    }

    private static DisconnectWatchState called(DisconnectWatchState from) {
        return switch (from) {
            case OFF, AWAITED -> OFF;
            case WATCHING -> LOOKING;
            case READING -> READING;
            default -> illegal(from, Event.CALL);
        };
    }

    private static DisconnectWatchState looked(DisconnectWatchState from, DisconnectWatchState otherwise) {
        return switch (from) {
            case LOOKING -> otherwise;
            case EXPECTED -> OFF;
            default -> illegal(from, otherwise == FOUND ? Event.ENOUGH : Event.AGAIN);
        };
    }

    private static DisconnectWatchState awaited(DisconnectWatchState from) {
        return switch (from) {
            case OFF, WATCHING -> AWAITED;
            case LOOKING -> EXPECTED;
            case FOUND -> OFF;
            default -> illegal(from, Event.AWAIT);
        };
    }

    private static DisconnectWatchState illegal(DisconnectWatchState from, Event event) {
        throw new IllegalStateException("a connection's input is " + from + "; " + event + " is not possible now");
    }
}
