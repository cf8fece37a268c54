package io.millrace;

import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.workers.WorkerPool;
import io.millrace.workers.Workers;
import org.jspecify.annotations.Nullable;

/** Threads and memory that all connectors and applications of a server share. */
final class Resources implements AutoCloseable {

    private final Workers workers;
    private final @Nullable WorkerPool own;
    private final Timers timers;
    private final boolean ownTimers;
    private final BufferPool buffers;

    Resources(ServerBuilder settings) {
        ownTimers = settings.timers == null;
        timers = settings.timers == null ? new Timers("millrace-timers") : settings.timers;
        own = settings.workers == null
                ? new WorkerPool(
                        "millrace-worker",
                        settings.maxThreads,
                        settings.minSpareThreads,
                        WorkerPool.MAX_IDLE,
                        Integer.MAX_VALUE,
                        timers)
                : null;
        workers = own == null ? java.util.Objects.requireNonNull(settings.workers) : own;
        buffers = settings.bufferPoolSize == 0 ? BufferPool.ofDefaultSize() : new BufferPool(settings.bufferPoolSize);
    }

    Workers workers() {
        return workers;
    }

    /** The connector's own, else those that connectors share. */
    Workers workersOf(Connector connector) {
        Workers theirs = connector.workers();
        return theirs == null ? workers : theirs;
    }

    Timers timers() {
        return timers;
    }

    BufferPool buffers() {
        return buffers;
    }

    @Override
    public void close() {
        if (own != null) {
            own.close();
        }
        if (ownTimers) {
            timers.close();
        }
    }
}
