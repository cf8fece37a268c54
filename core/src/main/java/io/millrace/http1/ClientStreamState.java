package io.millrace.http1;

import org.jspecify.annotations.Nullable;

/**
 * The state of a client's request and its response. Changed by the sending thread, the reading thread, and threads that
 * abort, with compare-and-set.
 *
 * <pre>
 * from      event     to
 * OPEN      LAST      SENDING    the last piece of the request was passed to the connection
 * OPEN      ANSWERED  EARLY      the response is complete before the request: the connection cannot be reused
 * SENDING   SENT      SENT       the last piece was written
 * SENDING   ANSWERED  ANSWERED   the response is complete before the completion of the write was called
 * SENDING   SWITCH    SWITCHING  status 101, before the completion of the write was called: nothing else may be written yet
 * SENT      ANSWERED  WHOLE      the connection may be used for the next request
 * SENT      SWITCH    TUNNEL     status 101
 * ANSWERED  SENT      WHOLE
 * SWITCHING SENT      TUNNEL
 * any       CUT       CUT        aborted, failed, or closed; except WHOLE and EARLY, which do not change
 * </pre>
 *
 * Late events are ignored: all but SWITCH in EARLY, all in CUT. Every other event is illegal.
 */
enum ClientStreamState {
    OPEN,
    SENDING,
    SENT,
    ANSWERED,
    SWITCHING,
    TUNNEL,
    WHOLE,
    EARLY,
    CUT;

    /** The events of a request. */
    enum Event {
        LAST,
        SENT,
        ANSWERED,
        SWITCH,
        CUT
    }

    /** Whether the state is final. */
    boolean isOver() {
        return this == WHOLE || this == EARLY || this == CUT;
    }

    /**
     * The next state.
     *
     * @throws IllegalStateException if the event is illegal in this state
     */
    static ClientStreamState next(ClientStreamState from, Event event) {
        if (from == CUT || from == EARLY && event != Event.SWITCH) {
            return from;
        }
        ClientStreamState to = switch (event) {
            case LAST -> from == OPEN ? SENDING : null;
            case SENT -> afterSent(from);
            case ANSWERED -> afterAnswered(from);
            case SWITCH -> from == SENDING ? SWITCHING : from == SENT ? TUNNEL : null;
            case CUT -> from == WHOLE ? WHOLE : CUT;
        };
        if (to == null) {
            throw new IllegalStateException("the request is " + from + "; " + event + " is not possible now");
        }
        return to;
    }

    private static @Nullable ClientStreamState afterSent(ClientStreamState from) {
        return switch (from) {
            case SENDING -> SENT;
            case ANSWERED -> WHOLE;
            case SWITCHING -> TUNNEL;
            default -> null;
        };
    }

    private static @Nullable ClientStreamState afterAnswered(ClientStreamState from) {
        return switch (from) {
            case OPEN -> EARLY;
            case SENDING -> ANSWERED;
            case SENT -> WHOLE;
            default -> null;
        };
    }
}
