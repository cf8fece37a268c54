package io.millrace.protocol.serial;

import io.millrace.io.Connection;
import io.millrace.io.Turns;

/** Decides whether a connection continues with its next request, or lets others go first. Used by its owner. */
final class Fairness {

    /** The number of requests without a pause after which others go first. */
    private static final int MAX_IN_A_ROW = 64;

    private final Connection connection;
    private final Turns turns;
    private int inARow;

    /**
     * The fairness of a connection.
     *
     * @param turns the executor on which it continues after others
     */
    Fairness(Connection connection, Turns turns) {
        this.connection = connection;
        this.turns = turns;
    }

    /** Called after a wait for the peer, or after others had their turn. */
    void begin() {
        inARow = 0;
    }

    /** Called for each request. */
    void count() {
        inARow++;
    }

    /**
     * Whether others should go first.
     *
     * @param unread whether input of the next request is available. If not, others go first where a premature read would
     *     cost system calls
     */
    boolean isOthersTurn(boolean unread) {
        return unread
                ? inARow >= MAX_IN_A_ROW
                : inARow > 0 && connection.channel().emptyReadsCost() && turns.areOthersWaiting();
    }

    /** Submits the rest as a task behind those of others. False if that is not possible. */
    boolean letOthersGoFirst(Runnable rest) {
        inARow = 0;
        return turns.take(rest);
    }
}
