package io.millrace.protocol.mux;

import org.jspecify.annotations.Nullable;

/**
 * How far a stream's two directions are (RFC 9113, 5.1). Streams begin when the peer's request comes.
 *
 * <pre>
 * from                 event       to
 * OPEN                 PEER_END    HALF_CLOSED_REMOTE   the request was sent whole
 * OPEN                 OWN_END     HALF_CLOSED_LOCAL    the response was sent whole
 * HALF_CLOSED_REMOTE   OWN_END     CLOSED
 * HALF_CLOSED_LOCAL    PEER_END    CLOSED
 * those three          OWN_RESET   RESET_BY_US
 * those three          PEER_RESET  RESET_BY_PEER
 * </pre>
 *
 * <p>Nothing else may happen; what a stream that has ended is still told is refused by who asks {@link #isOver} first.
 */
enum StreamState {
    OPEN,
    HALF_CLOSED_REMOTE,
    HALF_CLOSED_LOCAL,
    CLOSED,
    RESET_BY_US,
    RESET_BY_PEER;

    enum Event {
        PEER_END,
        OWN_END,
        OWN_RESET,
        PEER_RESET
    }

    /** What follows; null if that can't happen. */
    static @Nullable StreamState next(StreamState from, Event event) {
        if (from.isOver()) {
            return null;
        }
        return switch (event) {
            case PEER_END -> from == OPEN ? HALF_CLOSED_REMOTE : from == HALF_CLOSED_LOCAL ? CLOSED : null;
            case OWN_END -> from == OPEN ? HALF_CLOSED_LOCAL : from == HALF_CLOSED_REMOTE ? CLOSED : null;
            case OWN_RESET -> RESET_BY_US;
            case PEER_RESET -> RESET_BY_PEER;
        };
    }

    /** Has the stream ended? */
    boolean isOver() {
        return this == CLOSED || this == RESET_BY_US || this == RESET_BY_PEER;
    }

    /** May the peer still send? */
    boolean isPeerOpen() {
        return this == OPEN || this == HALF_CLOSED_LOCAL;
    }

    /** May we still send? */
    boolean isOwnOpen() {
        return this == OPEN || this == HALF_CLOSED_REMOTE;
    }

    /** Two bits for each of the three that are over. */
    int bits() {
        return this == RESET_BY_US ? 1 : this == RESET_BY_PEER ? 2 : 0;
    }

    /** The reverse. */
    static StreamState ofBits(int bits) {
        return bits == 0 ? CLOSED : bits == 1 ? RESET_BY_US : RESET_BY_PEER;
    }
}
