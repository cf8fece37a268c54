package io.millrace.protocol.mux;

import org.jspecify.annotations.Nullable;

/**
 * How far the life of a connection of many streams is. Guarded by its output lock.
 *
 * <pre>
 * from                      event    to
 * OPEN                      DRAIN    DRAINING   the peer is asked to open no more streams; those under way to us are served
 * OPEN, DRAINING            LAST     LAST       the last stream is named: later ones are dropped
 * OPEN, DRAINING, LAST      EMPTY    CLOSING    no stream is left, and none will come: what is here is sent
 * OPEN … CLOSING            FAULT    CLOSING    the peer broke a rule: the reason is sent
 * CLOSING                   SENT     LINGERING  input is dropped for a while, so that the peer sees what was sent
 * any                       CLOSE    CLOSED
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

    /** What follows; null if the event comes too late, or can't come. */
    static @Nullable MuxState next(MuxState from, Event event) {
        return switch (event) {
            case DRAIN -> from == OPEN ? DRAINING : null;
            case LAST -> from == OPEN || from == DRAINING ? LAST : null;
            case EMPTY, FAULT -> from.compareTo(CLOSING) < 0 ? CLOSING : null;
            case SENT -> from == CLOSING ? LINGERING : null;
            case CLOSE -> from == CLOSED ? null : CLOSED;
        };
    }

    /** Are new streams served? */
    boolean isServing() {
        return this == OPEN || this == DRAINING;
    }
}
