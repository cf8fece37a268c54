package io.millrace.protocol.serial;

import io.millrace.io.Connection;
import io.millrace.io.Turns;

/** Decides whether a connection continues with its next request, or yields to others. Confined to the connection's owner. */
final class Fairness {

    /** The number of consecutive requests after which the connection yields. */
    private static final int MAX_IN_A_ROW = 64;

    private final Connection connection;
    private final Turns turns;
    private int inARow;

    /**
     * The fairness of a connection.
     *
     * @param turns the executor on which it continues after it has yielded
     */
    Fairness(Connection connection, Turns turns) {
        this.connection = connection;
        this.turns = turns;
    }

    /** Called after a wait for the peer, or after yielding. */
    void begin() {
        inARow = 0;
    }

    /** Called for each request. */
    void count() {
        inARow++;
    }

    /**
     * Whether the connection should yield.
     *
     * @param unread whether input of the next request is available. If not, the connection yields where a premature read
     *     would cost system calls
     */
    boolean shouldYield(boolean unread) {
        return unread
                ? inARow >= MAX_IN_A_ROW
                : inARow > 0 && connection.channel().emptyReadsCost() && turns.areOthersWaiting();
    }

    /** Submits the rest as a task, which runs after those already queued. False if it was rejected. */
    boolean requeue(Runnable rest) {
        inARow = 0;
        return turns.take(rest);
    }
}
