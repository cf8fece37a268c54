package io.millrace.io.socket;

import io.millrace.io.Timers;

/** What an {@link IdleClock} has to know of its connection. */
public interface IdleCheck {

    /** Is the connection closed? Any thread. */
    boolean isClosed();

    /** Does it wait for its peer to send something? Any thread. */
    boolean isWaitingForInput();

    /** Does a write wait for its peer to take something? Any thread. */
    boolean isWaitingForOutput();

    /**
     * It has waited too long, or did a moment ago: to look again, by the rules of its threads, and to act. Called on the
     * timers' thread, which must not be held up.
     */
    void overdue();

    /** Where the clock sets its timer. */
    Timers timers();
}
