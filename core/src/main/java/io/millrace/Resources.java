package io.millrace;

import static java.util.stream.Collectors.joining;

import io.millrace.io.BufferPool;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.metrics.MetricGroup;
import io.millrace.metrics.Metrics;
import io.millrace.server.ServerMetrics;
import io.millrace.server.TransportProviders;
import io.millrace.workers.WorkerPool;
import io.millrace.workers.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The threads and buffers that all connectors and applications of a server share. */
final class Resources implements AutoCloseable {

    private final Workers workers;
    private final @Nullable WorkerPool own;
    private final Timers timers;
    private final boolean ownTimers;
    private final BufferPool buffers;
    private final Metrics metrics;
    private final MetricGroup shared;
    private final TransportProviders transports;
    private final Connector first;
    private final int maxRunning;

    /** Created on demand. Guarded by this. */
    private @Nullable Dialer dialer;

    /**
     * The resources of one server.
     *
     * @param workers those of the server, or of its application
     * @param own closed with this; null if the workers are not the server's
     * @param ownTimers whether the timers are closed with this
     * @param connectors the first one's transport also dials
     */
    Resources(
            Workers workers,
            @Nullable WorkerPool own,
            Timers timers,
            boolean ownTimers,
            BufferPool buffers,
            TransportProviders transports,
            List<Connector> connectors,
            Metrics metrics) {
        this.workers = workers;
        this.own = own;
        this.timers = timers;
        this.ownTimers = ownTimers;
        this.buffers = buffers;
        this.transports = transports;
        first = connectors.isEmpty() ? Connector.builder().build() : connectors.get(0);
        maxRunning = connectors.stream()
                .mapToInt(connector -> workersOf(connector).maxRunning())
                .min()
                .orElse(workers.maxRunning());
        this.metrics = metrics;
        shared = new MetricGroup(metrics);
        ServerMetrics.addBuffers(shared, buffers);
        connectors.stream()
                .map(this::workersOf)
                .distinct()
                .filter(WorkerPool.class::isInstance)
                .forEach(pool -> ServerMetrics.addWorkers(shared, (WorkerPool) pool));
        ServerMetrics.addBuild(
                metrics,
                shared,
                connectors.stream()
                        .map(Connector::transport)
                        .distinct()
                        .sorted()
                        .collect(joining(",")));
    }

    /** What the server counts. */
    Metrics metrics() {
        return metrics;
    }

    /** The metrics of what all connectors share. */
    MetricGroup shared() {
        return shared;
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
        shared.close();
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
