package io.millrace.protocol.serial;

import org.jspecify.annotations.Nullable;

/**
 * The owner of a connection's input during an exchange: the reader of the body, or the {@link DisconnectWatch}, for which
 * the transport watches for input although no reader is waiting.
 *
 * <pre>
 * from         event    to           meaning
 * OFF          READ     READING      the exchange reads from the connection
 * READING      DONE     OFF
 * OFF          WATCH    WATCHING     the exchange waits for something else; the transport watches for input meanwhile
 * WATCHING     CALL     PREFETCHING  the transport's thread reads ahead
 * PREFETCHING  AGAIN    WATCHING     the transport continues to watch
 * PREFETCHING  ENOUGH   FOUND        the buffer is full, or the end was read: the transport stops watching
 * FOUND        READ     READING      the buffered input is read
 * FOUND        AWAIT    OFF          the waiting reader is called immediately
 * OFF          AWAIT    AWAITED      the exchange waits for its body, and the transport for the peer
 * WATCHING     AWAIT    AWAITED      a reader is waiting now, and gets the transport's next call
 * AWAITED      CALL     OFF          the reader is called, or has taken the input back from the transport
 * AWAITED      CANCEL   WATCHING     the reader need not wait: input had just been buffered
 * PREFETCHING  AWAIT    EXPECTED     a reader is waiting while the transport's thread is still reading ahead
 * EXPECTED     AGAIN    OFF          that thread calls the reader; the call may be spurious
 * EXPECTED     ENOUGH   OFF
 * OFF          CALL     OFF          the connection waited, not its exchange
 * READING      CALL     READING      the same, while a thread still reads after the end of its exchange
 * other        WATCH    -            a reader will notice the disconnect, or it has been noticed
 * other        READ     -            the input belongs to the transport: only buffered input can be read
 * other        CANCEL   -            the reader has been called already
 * </pre>
 *
 * Every other event is illegal.
 */
enum DisconnectWatchState {
    OFF,
    READING,
    WATCHING,
    PREFETCHING,
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
        CANCEL
    }

    /** The next state; null if the event is rejected and changes nothing. */
    static @Nullable DisconnectWatchState next(DisconnectWatchState from, Event event) {
        return switch (event) {
            case READ -> from == OFF || from == FOUND ? READING : null;
            case WATCH -> from == OFF ? WATCHING : null;
            case DONE -> from == READING ? OFF : illegal(from, event);
            case CALL -> called(from);
            case AGAIN -> prefetched(from, WATCHING);
            case ENOUGH -> prefetched(from, FOUND);
            case AWAIT -> awaited(from);
            case CANCEL -> from == AWAITED ? WATCHING : null;
        };
    }

    private static DisconnectWatchState called(DisconnectWatchState from) {
        return switch (from) {
            case OFF, AWAITED -> OFF;
            case WATCHING -> PREFETCHING;
            case READING -> READING;
            default -> illegal(from, Event.CALL);
        };
    }

    private static DisconnectWatchState prefetched(DisconnectWatchState from, DisconnectWatchState otherwise) {
        return switch (from) {
            case PREFETCHING -> otherwise;
            case EXPECTED -> OFF;
            default -> illegal(from, otherwise == FOUND ? Event.ENOUGH : Event.AGAIN);
        };
    }

    private static DisconnectWatchState awaited(DisconnectWatchState from) {
        return switch (from) {
            case OFF, WATCHING -> AWAITED;
            case PREFETCHING -> EXPECTED;
            case FOUND -> OFF;
            default -> illegal(from, Event.AWAIT);
        };
    }

    private static DisconnectWatchState illegal(DisconnectWatchState from, Event event) {
        throw new IllegalStateException("a connection's input is " + from + "; " + event + " is not possible now");
    }
}
