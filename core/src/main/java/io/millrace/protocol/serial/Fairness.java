package io.millrace.protocol.serial;

import io.millrace.io.Connection;
import io.millrace.io.Turns;

/** Whether a connection that could go on with the next request does, or lets others go first. By its owner. */
final class Fairness {

    /** After so many requests without a pause, others get their turn. */
    private static final int MAX_IN_A_ROW = 64;

    private final Connection connection;
    private final Turns turns;
    private int inARow;

    /**
     * Fairness of a connection.
     *
     * @param turns where it goes on after others
     */
    Fairness(Connection connection, Turns turns) {
        this.connection = connection;
        this.turns = turns;
    }

    /** The peer was waited for, or others had their turn. */
    void begin() {
        inARow = 0;
    }

    /** A request is being served. */
    void count() {
        inARow++;
    }

    /**
     * Is it better to do something else first?
     *
     * @param unread the next request is here, or a part of it. If it is not, others go first where looking for it too early
     *     would cost something
     */
    boolean isOthersTurn(boolean unread) {
        return unread
                ? inARow >= MAX_IN_A_ROW
                : inARow > 0 && connection.channel().emptyReadsCost() && turns.areOthersWaiting();
    }

    /** Leaves the rest to a task behind theirs. False if there can be none. */
    boolean letOthersGoFirst(Runnable rest) {
        inARow = 0;
        return turns.take(rest);
    }
}
