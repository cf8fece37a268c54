package io.millrace.connector.ajp;

import org.jspecify.annotations.Nullable;

/**
 * The state of sending a client's request. The server requests each packet of the body, and the next one when it has received it.
 * The first packet of a body of known length is sent without a request, so the head counts as the first one. Changed by
 * compare-and-set: by the sending thread, by the reader of the server's packets, and by a thread that aborts.
 *
 * <pre>
 * state          the server            the body                               next event
 * IDLE           has requested none    no piece is offered                    OFFER or ASK
 * ASKED          waits for a packet    no piece is offered                    OFFER
 * OFFERED        has requested none    a piece is offered                     ASK
 * SENDING        has requested none    a packet, or the head, is being sent   SENT_…
 * SENDING_ASKED  has requested one     the same                               SENT_…
 * COMPLETE       has requested none    all of it was sent                     ASK: an empty packet is sent
 * ENDING         has requested one     an empty packet is being sent          SENT_LAST
 * DONE           has the whole body                                           none
 * FINISHING      has responded         a packet is being sent                 SENT_…
 * REUSABLE       has responded, and waits for nothing: the connection can be reused
 * USELESS        has responded, and would take the next request for the packet that it has requested
 * CUT            aborted, failed, or closed
 * </pre>
 *
 * ANSWERED, the end of the response, may occur at any time. A second request before the packet for the first, and one after the
 * end, are rejected (null): the server violates the protocol. All other rejected events are programming errors.
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

    /** The events of a request. */
    enum Event {
        /** A piece of the body is offered. */
        OFFER,
        /** There is no further piece. */
        OFFER_END,
        /** The server requests a packet. */
        ASK,
        /** A packet was sent, and its piece has more. */
        SENT_PART,
        /** A piece was sent completely. */
        SENT_PIECE,
        /** The same, and it was the last. */
        SENT_LAST,
        /** The server has ended its response. */
        ANSWERED,
        CUT
    }

    /** Whether no event has an effect any more. */
    boolean isOver() {
        return this == REUSABLE || this == USELESS || this == CUT;
    }

    /** The state after an event; null if the event is rejected. */
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
