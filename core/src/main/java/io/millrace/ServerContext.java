package io.millrace;

import io.millrace.io.BufferPool;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.jmx.JmxDomain;
import io.millrace.metrics.MetricGroup;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The resources of the server that its applications use. */
public interface ServerContext {

    /** The server's worker threads, which may block. */
    Executor workers();

    /**
     * The number of requests whose handlers may block at the same time, on the connector that has the fewest threads; {@link
     * Integer#MAX_VALUE} if their number is not limited, as that of virtual threads is not.
     */
    int maxRunning();

    Timers timers();

    /** For the metrics of this application, which have its label. The server ends them with it. */
    MetricGroup metrics();

    BufferPool buffers();

    /** Where the application may offer MBeans; null if the server has no domain for them. */
    default @Nullable JmxDomain jmx() {
        return null;
    }

    /** The name of the virtual host that the application is on; {@code localhost} for one without a name. */
    default String host() {
        return "localhost";
    }

    /**
     * Connects to other servers, on the I/O threads of the first connector's transport. The server owns the dialer and
     * stops it; an application closes its own connections when it stops.
     *
     * @throws IOException if the I/O threads cannot be created
     * @throws IllegalStateException if the transport does not support outgoing connections
     */
    Dialer dialer() throws IOException;

    /**
     * Finds the application of the same host that handles a path. Safe to call from any thread.
     *
     * @param path decoded, from the root of the host, with a leading slash
     * @return the latest running version; null if there is no application, or none is running
     */
    @Nullable
    Application application(String path);
}
