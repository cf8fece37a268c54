package io.millrace.standalone;

import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.connector.ThreadPools;
import io.millrace.standalone.config.schema.Element;
import io.millrace.workers.VirtualWorkers;
import io.millrace.workers.WorkerPool;
import io.millrace.workers.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The worker pools of a Service: one for each Executor, which Connectors may share, and for each Connector without one. */
final class WorkerPools implements AutoCloseable {

    private final Timers timers;
    private final Map<Element, Workers> pools = new HashMap<>();
    private final List<WorkerPool> real = new ArrayList<>();
    private final List<VirtualWorkers> virtual = new ArrayList<>();

    /** @param timers must outlive the pools */
    WorkerPools(Timers timers) {
        this.timers = timers;
    }

    Workers of(ServerConfig.Connector connector) {
        return pools.computeIfAbsent(connector.threads(), threads -> make(connector, threads));
    }

    private Workers make(ServerConfig.Connector connector, Element threads) {
        String name = name(connector);
        if (connector.isVirtual()) {
            return virtual(name);
        }
        WorkerPool pool = new WorkerPool(
                name,
                threads.get(TransportOptions.MAX_THREADS),
                threads.get(ThreadPools.MIN_SPARE_THREADS),
                Duration.ofMillis(threads.get(ThreadPools.THREADS_MAX_IDLE_TIME)),
                threads.get(ThreadPools.MAX_QUEUE_SIZE),
                timers);
        real.add(pool);
        return pool;
    }

    /**
     * Starts a virtual thread for each task.
     *
     * @throws IllegalStateException before Java 21
     */
    Workers virtual(String name) {
        VirtualWorkers workers = new VirtualWorkers(name);
        virtual.add(workers);
        return workers;
    }

    private static String name(ServerConfig.Connector connector) {
        Element executor = connector.executor();
        if (executor == null) {
            return connector.transport() + "-" + connector.port() + "-worker";
        }
        String prefix = executor.get(ThreadPools.NAME_PREFIX);
        return prefix.endsWith("-") ? prefix.substring(0, prefix.length() - 1) : prefix;
    }

    /** To be called after the server has stopped. */
    @Override
    public void close() {
        real.forEach(WorkerPool::close);
        virtual.forEach(VirtualWorkers::close);
    }
}
