package io.millrace.connector.ajp;

import org.jspecify.annotations.Nullable;

/**
 * How far the request of a client is. A server gets a packet of the body for each time it asks, and asks next when it has it; the first
 * packet of a body of known length it gets unasked, so that the head counts as its first question. Moved by compare-and-set: by the
 * thread that sends, the one that reads the server's packets, and whoever aborts.
 *
 * <pre>
 * state          the server          the body                            its next event
 * IDLE           has not asked       nothing is here                     OFFER or ASK
 * ASKED          waits               nothing is here                     OFFER
 * OFFERED        has not asked       a piece is here                     ASK
 * SENDING        has not asked       a packet, or the head, is written   SENT_…
 * SENDING_ASKED  has asked already   the same                            SENT_…
 * COMPLETE       has not asked       its last octet was sent             ASK: it is told that this was all
 * ENDING         has asked           an empty packet is written          SENT_LAST
 * DONE           knows the end                                           none
 * FINISHING      has answered        a packet is written                 SENT_…
 * REUSABLE       has answered, and waits for nothing: the connection may take the next request
 * USELESS        has answered, and would take the next request for the packet that it has asked for
 * CUT            aborted, failed, or closed
 * </pre>
 *
 * ANSWERED, the end of the response, may come at any time. A second question before the answer to the first, and one after the
 * end, are refused (null): the server is wrong. What else is refused is a programming error.
 */
enum UploadState {
    IDLE,
    ASKED,
    OFFERED,
    SENDING,
    SENDING_ASKED,
    COMPLETE,
    ENDING,
    DONE,
    FINISHING,
    REUSABLE,
    USELESS,
    CUT;

    /** What happens to it. */
    enum Event {
        /** A piece of the body is here. */
        OFFER,
        /** There is no further piece. */
        OFFER_END,
        /** The server asks for a packet. */
        ASK,
        /** A packet was written, and there is more of its piece. */
        SENT_PART,
        /** Its piece was written whole. */
        SENT_PIECE,
        /** The same, and it was the last. */
        SENT_LAST,
        /** The server has ended its response. */
        ANSWERED,
        CUT
    }

    /** Nothing happens to it any more. */
    boolean isOver() {
        return this == REUSABLE || this == USELESS || this == CUT;
    }

    /** Where the event leads; null if it is refused. */
    static @Nullable UploadState next(UploadState from, Event event) {
        if (from.isOver()) {
            return from;
        }
        return switch (event) {
            case OFFER -> from == IDLE ? OFFERED : from == ASKED ? SENDING : null;
            case OFFER_END -> from == IDLE ? COMPLETE : from == ASKED ? ENDING : null;
            case ASK -> afterAsk(from);
            case SENT_PART -> afterSent(from, OFFERED, SENDING);
            case SENT_PIECE -> afterSent(from, IDLE, ASKED);
            case SENT_LAST -> from == ENDING ? DONE : afterSent(from, COMPLETE, ENDING);
            case ANSWERED -> afterAnswered(from);
            case CUT -> CUT;
        };
    }

    private static @Nullable UploadState afterAsk(UploadState from) {
        return switch (from) {
            case IDLE -> ASKED;
            case OFFERED -> SENDING;
            case SENDING -> SENDING_ASKED;
            case COMPLETE -> ENDING;
            default -> null;
        };
    }

    private static @Nullable UploadState afterSent(UploadState from, UploadState unasked, UploadState asked) {
        return switch (from) {
            case SENDING -> unasked;
            case SENDING_ASKED -> asked;
            case FINISHING -> REUSABLE;
            default -> null;
        };
    }

    private static @Nullable UploadState afterAnswered(UploadState from) {
        return switch (from) {
            case IDLE, OFFERED, COMPLETE, DONE -> REUSABLE;
            case SENDING, ENDING -> FINISHING;
            case ASKED, SENDING_ASKED -> USELESS;
            default -> null;
        };
    }
}
