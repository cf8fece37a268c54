package io.millrace.server;

import static io.millrace.metrics.MetricFamily.counter;
import static io.millrace.metrics.MetricFamily.gauge;

import io.millrace.handler.AccessLog;
import io.millrace.io.BufferPool;
import io.millrace.metrics.MetricFamily;
import io.millrace.metrics.MetricGroup;
import io.millrace.metrics.Metrics;
import io.millrace.workers.WorkerPool;
import java.util.List;

/** The metrics of what all connectors of a server share. */
public final class ServerMetrics {

    private static final MetricFamily WORKERS =
            gauge("millrace_workers", "Threads for handlers that may block: busy ones run one, idle ones wait");
    private static final MetricFamily LIMIT =
            gauge("millrace_workers_limit", "The number of workers that may run at a time");
    private static final MetricFamily QUEUE = gauge("millrace_worker_queue", "Tasks that wait for a worker");
    private static final MetricFamily BUFFERS =
            gauge("millrace_buffer_bytes", "Memory outside of the heap for reading and writing");
    private static final MetricFamily BUFFER_LIMIT =
            gauge("millrace_buffer_limit_bytes", "The memory that these buffers may take up");

    private static final MetricFamily BUILD = gauge("millrace_build_info", "1, with what runs as labels");

    private static final MetricFamily DROPPED = counter(
            "millrace_log_lines_dropped_total", "Lines that were not written, because the disk was too slow or full");

    private ServerMetrics() {}

    /** Adds versions, unless another server of the process has. */
    public static void addBuild(Metrics metrics, MetricGroup group, String transports) {
        String version = ServerMetrics.class.getPackage().getImplementationVersion();
        String[] labels = {
            "version",
            version == null ? "unknown" : version,
            "java",
            Runtime.version().toString(),
            "transports",
            transports
        };
        if (metrics.value(BUILD.name(), labels).isEmpty()) {
            group.number(BUILD, () -> 1, labels);
        }
    }

    /** Adds the access logs. */
    public static void addLogs(MetricGroup group, List<AccessLog> logs) {
        if (!logs.isEmpty()) {
            group.number(
                    DROPPED, () -> logs.stream().mapToLong(AccessLog::dropped).sum(), "log", "access");
        }
    }

    /** Adds a pool of threads. */
    public static void addWorkers(MetricGroup group, WorkerPool pool) {
        group.number(WORKERS, pool::active, "pool", pool.name(), "state", "busy");
        group.number(WORKERS, () -> Math.max(0, pool.threads() - pool.active()), "pool", pool.name(), "state", "idle");
        group.number(LIMIT, pool::maxRunning, "pool", pool.name());
        group.number(QUEUE, pool::queued, "pool", pool.name());
    }

    /** Adds a pool of buffers. */
    public static void addBuffers(MetricGroup group, BufferPool pool) {
        group.number(BUFFERS, pool::leasedBytes, "state", "leased");
        group.number(BUFFERS, () -> Math.max(0, pool.allocatedBytes() - pool.leasedBytes()), "state", "free");
        group.number(BUFFER_LIMIT, pool::maxBytes);
    }
}
