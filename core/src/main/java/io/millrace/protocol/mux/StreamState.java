package io.millrace.protocol.mux;

import org.jspecify.annotations.Nullable;

/**
 * The state of a stream (RFC 9113, 5.1). A server's streams start in OPEN, or in HALF_CLOSED_REMOTE if the request has no
 * body; a client's start in OPEN.
 *
 * <pre>
 * from                 event       to
 * OPEN                 PEER_END    HALF_CLOSED_REMOTE   the peer has ended its message
 * OPEN                 OWN_END     HALF_CLOSED_LOCAL    our message was sent completely
 * HALF_CLOSED_REMOTE   OWN_END     CLOSED
 * HALF_CLOSED_LOCAL    PEER_END    CLOSED
 * those three          OWN_RESET   RESET_BY_US
 * those three          PEER_RESET  RESET_BY_PEER
 * </pre>
 *
 * <p>All other events are ignored.
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

    /** The next state; null if the event is ignored. */
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

    /** Whether the stream has ended. */
    boolean isOver() {
        return this == CLOSED || this == RESET_BY_US || this == RESET_BY_PEER;
    }

    /** Whether the peer may still send. */
    boolean isPeerOpen() {
        return this == OPEN || this == HALF_CLOSED_LOCAL;
    }

    /** Whether we may still send. */
    boolean isOwnOpen() {
        return this == OPEN || this == HALF_CLOSED_REMOTE;
    }

    /** An encoding of the three final states in two bits. */
    int bits() {
        return this == RESET_BY_US ? 1 : this == RESET_BY_PEER ? 2 : 0;
    }

    /** The reverse of {@link #bits}. */
    static StreamState ofBits(int bits) {
        return bits == 0 ? CLOSED : bits == 1 ? RESET_BY_US : RESET_BY_PEER;
    }
}
