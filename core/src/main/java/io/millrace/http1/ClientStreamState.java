package io.millrace.http1;

import org.jspecify.annotations.Nullable;

/**
 * How far a request of a client and its response are. Moved by the thread that sends, the one that reads, and whoever aborts, by
 * compare-and-set.
 *
 * <pre>
 * from      event     to
 * OPEN      LAST      SENDING    the last piece of the request was handed to the connection
 * OPEN      ANSWERED  EARLY      the response is whole, and more of the request was to come: the connection is of no use
 * SENDING   SENT      SENT       that piece was written
 * SENDING   ANSWERED  ANSWERED   the response is whole, and was faster than the news of the write
 * SENDING   SWITCH    TUNNEL     status 101
 * SENT      ANSWERED  WHOLE      the connection may take the next request
 * SENT      SWITCH    TUNNEL
 * ANSWERED  SENT      WHOLE
 * any       CUT       CUT        aborted, failed, or closed; but WHOLE and EARLY stay: nothing is left that could fail
 * </pre>
 *
 * What else happens in TUNNEL, EARLY, WHOLE and CUT changes nothing where it can come late: SENT, and in EARLY and CUT the rest
 * of what sends and reads. Everything else is a programming error.
 */
enum ClientStreamState {
    OPEN,
    SENDING,
    SENT,
    ANSWERED,
    TUNNEL,
    WHOLE,
    EARLY,
    CUT;

    /** What happens to them. */
    enum Event {
        LAST,
        SENT,
        ANSWERED,
        SWITCH,
        CUT
    }

    /** Nothing happens to it any more. */
    boolean isOver() {
        return this == WHOLE || this == EARLY || this == CUT;
    }

    /**
     * Where the event leads.
     *
     * @throws IllegalStateException if it can't happen in this state
     */
    static ClientStreamState next(ClientStreamState from, Event event) {
        if (from == CUT || from == EARLY && event != Event.SWITCH) {
            return from;
        }
        ClientStreamState to = switch (event) {
            case LAST -> from == OPEN ? SENDING : null;
            case SENT -> afterSent(from);
            case ANSWERED -> afterAnswered(from);
            case SWITCH -> from == SENDING || from == SENT ? TUNNEL : null;
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
            case TUNNEL -> TUNNEL;
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
