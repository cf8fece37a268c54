package io.millrace;

import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import java.util.concurrent.Executor;

/** What a server lends to the applications it hosts. */
public interface ServerContext {

    /** Runs what may block. */
    Executor workers();

    Timers timers();

    BufferPool buffers();
}
