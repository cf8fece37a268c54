package io.millrace;

import io.millrace.io.BufferPool;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What a server lends to the applications it hosts. */
public interface ServerContext {

    /** Runs what may block. */
    Executor workers();

    Timers timers();

    BufferPool buffers();

    /**
     * Connects to other servers, on the threads of the first connector's transport. The server owns the dialer and stops it; an
     * application that stops closes its own connections.
     *
     * @throws IOException if there are no threads for it
     * @throws IllegalStateException if the transport only accepts
     */
    Dialer dialer() throws IOException;

    /**
     * The application that a path of the same host leads to. Any thread.
     *
     * @param path decoded, from the root of the host; begins with a slash
     * @return null if there is none, or it is not running
     */
    @Nullable
    Application application(String path);
}
