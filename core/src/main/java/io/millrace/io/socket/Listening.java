package io.millrace.io.socket;

import java.net.SocketAddress;

/** A listening socket, bound already, and the thread that accepts from it. */
public interface Listening {

    /** Whether one more connection may be accepted, and how many there are. Any thread. */
    interface Gate {
        /** Shuts it until {@link #resume}. */
        void pause();

        /** Ends the pause. */
        void resume();

        /** Connections accepted and not closed. */
        int inside();

        /** A connection is closed. True if it was the last. */
        boolean leave();
    }

    /** Begins to accept. */
    void start();

    /** Where it listens. */
    SocketAddress address();

    /** Who is inside, and whether more may come. */
    Gate gate();

    /** Closes the listening socket; returns when nobody is accepted any more. */
    void close();
}
