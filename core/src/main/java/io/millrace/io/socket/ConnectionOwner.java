package io.millrace.io.socket;

import io.millrace.io.BufferPool;
import io.millrace.io.Timers;

/** Whose a connection is: the transport that accepted it or the dialer that made it. Any thread. */
public interface ConnectionOwner {

    /** Is it being stopped, so that connections drain? */
    boolean isStopping();

    /** A connection is closed and its handler knows; or it never came to be. Once for each. */
    void left();

    /** Where its connections get their buffers. */
    BufferPool buffers();

    /** Where its connections set their timers. */
    Timers timers();
}
