package io.millrace.protocol.mux;

import org.jspecify.annotations.Nullable;

/**
 * The state of a multiplexed connection. Guarded by its {@link MuxLock}.
 *
 * <pre>
 * from                   event    to
 * OPEN                   DRAIN    DRAINING   the peer is asked to open no more streams; requests in flight are served
 * OPEN, DRAINING         LAST     LAST       GOAWAY names the last stream: later ones are ignored
 * OPEN, DRAINING, LAST   EMPTY    CLOSING    no stream is left: the remaining output is sent
 * OPEN, DRAINING, LAST   FAULT    CLOSING    a violation by the peer: GOAWAY with the reason is sent
 * CLOSING                SENT     LINGERING  input is discarded for a while, so that the peer receives the output
 * any but CLOSED         CLOSE    CLOSED
 * </pre>
 */
enum MuxState {
    OPEN,
    DRAINING,
    LAST,
    CLOSING,
    LINGERING,
    CLOSED;

    enum Event {
        DRAIN,
        LAST,
        EMPTY,
        FAULT,
        SENT,
        CLOSE
    }

    /** The next state; null if the event is ignored. */
    static @Nullable MuxState next(MuxState from, Event event) {
        return switch (event) {
            case DRAIN -> from == OPEN ? DRAINING : null;
            case LAST -> from == OPEN || from == DRAINING ? LAST : null;
            case EMPTY, FAULT -> from.compareTo(CLOSING) < 0 ? CLOSING : null;
            case SENT -> from == CLOSING ? LINGERING : null;
            case CLOSE -> from == CLOSED ? null : CLOSED;
        };
    }

    /** Whether new streams are accepted. */
    boolean isServing() {
        return this == OPEN || this == DRAINING;
    }
}
