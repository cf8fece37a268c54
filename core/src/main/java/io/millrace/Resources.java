package io.millrace;

import io.millrace.io.BufferPool;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.server.TransportProviders;
import io.millrace.workers.WorkerPool;
import io.millrace.workers.Workers;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The threads and buffers that all connectors and applications of a server share. */
final class Resources implements AutoCloseable {

    private final Workers workers;
    private final @Nullable WorkerPool own;
    private final Timers timers;
    private final boolean ownTimers;
    private final BufferPool buffers;
    private final TransportProviders transports;
    private final Connector first;
    private final int maxRunning;

    /** Created on demand. Guarded by this. */
    private @Nullable Dialer dialer;

    Resources(ServerBuilder settings) {
        ownTimers = settings.timers == null;
        transports = new TransportProviders(settings.providers);
        first = settings.connectors.isEmpty() ? Connector.builder().build() : settings.connectors.get(0);
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
        maxRunning = settings.connectors.stream()
                .mapToInt(connector -> workersOf(connector).maxRunning())
                .min()
                .orElse(workers.maxRunning());
        buffers = settings.bufferPoolSize == 0 ? BufferPool.ofDefaultSize() : new BufferPool(settings.bufferPoolSize);
    }

    Workers workers() {
        return workers;
    }

    /** The connector's own workers, or those of the server. */
    Workers workersOf(Connector connector) {
        Workers ownWorkers = connector.workers();
        return ownWorkers == null ? workers : ownWorkers;
    }

    /** The smallest number of requests that the workers of a connector run at the same time. */
    int maxRunning() {
        return maxRunning;
    }

    Timers timers() {
        return timers;
    }

    BufferPool buffers() {
        return buffers;
    }

    /** The transport providers of this server; transports of one provider share threads. */
    TransportProviders transports() {
        return transports;
    }

    /** The dialer of the first connector's transport. */
    synchronized Dialer dialer() throws IOException {
        Dialer made = dialer;
        if (made == null) {
            made = transports.named(first.transport()).dialer(first.transportOptions(buffers, timers));
            dialer = made;
        }
        return made;
    }

    @Override
    public void close() {
        stopDialer();
        if (own != null) {
            own.close();
        }
        if (ownTimers) {
            timers.close();
        }
    }

    /** Called after everything that used its connections has stopped. */
    private synchronized void stopDialer() {
        Dialer made = dialer;
        if (made != null) {
            var unused = made.stop(Duration.ZERO);
        }
    }
}
