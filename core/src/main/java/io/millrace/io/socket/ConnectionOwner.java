package io.millrace.io.socket;

import io.millrace.io.BufferPool;
import io.millrace.io.ConnectionMeter;
import io.millrace.io.Timers;

/** The owner of a connection: the transport that accepted it, or the dialer that created it. Thread-safe. */
public interface ConnectionOwner {

    /** Whether the owner is being stopped, so that connections drain. */
    boolean isStopping();

    /** Called once for each connection, after it was closed and its handler notified, or if it could not be created. */
    void left();

    /** The buffer pool of its connections. */
    BufferPool buffers();

    /** The timers of its connections. */
    Timers timers();

    /** The minimum rate at which peers of its connections take output. */
    OutputRate outputRate();

    /** Counts what happens on its connections. */
    ConnectionMeter meter();
}
