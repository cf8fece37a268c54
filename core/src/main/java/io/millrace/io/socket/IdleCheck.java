package io.millrace.io.socket;

import io.millrace.io.ConnectionMeter;
import io.millrace.io.Timers;

/** A connection as seen by its {@link IdleClock}. */
public interface IdleCheck {

    /** Whether the connection is closed. Safe to call from any thread. */
    boolean isClosed();

    /** Whether it waits for input from its peer. Safe to call from any thread. */
    boolean isWaitingForInput();

    /** Whether a write waits for its peer. Safe to call from any thread. */
    boolean isWaitingForOutput();

    /**
     * Called on the timer thread, which must not be blocked, when the connection has waited too long: it checks again on
     * its own thread, and acts.
     */
    void overdue();

    /** The timers that the clock uses. */
    Timers timers();

    /** Counts what happens on connections. */
    ConnectionMeter meter();

    /** The minimum rate at which the peer takes output. */
    OutputRate outputRate();
}
