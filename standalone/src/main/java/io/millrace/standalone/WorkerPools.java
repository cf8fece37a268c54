package io.millrace.standalone;

import io.millrace.io.Timers;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.Values;
import io.millrace.workers.VirtualWorkers;
import io.millrace.workers.WorkerPool;
import io.millrace.workers.Workers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The worker pools of a Service: one for each Executor, which Connectors may share, and for each Connector without one. */
final class WorkerPools implements AutoCloseable {

    private final Timers timers;
    private final Map<Values, Workers> pools = new HashMap<>();
    private final List<WorkerPool> real = new ArrayList<>();
    private final List<VirtualWorkers> virtual = new ArrayList<>();

    /** @param timers must outlive the pools */
    WorkerPools(Timers timers) {
        this.timers = timers;
    }

    Workers of(ServerConfig.Connector connector) {
        return pools.computeIfAbsent(connector.threads(), values -> make(connector, values));
    }

    private Workers make(ServerConfig.Connector connector, Values values) {
        String name = name(connector);
        if (connector.isVirtual()) {
            return virtual(name);
        }
        WorkerPool pool = new WorkerPool(
                name,
                values.number("maxThreads"),
                values.number("minSpareThreads"),
                values.duration(connector.executor() == null ? "threadsMaxIdleTime" : "maxIdleTime"),
                values.number("maxQueueSize"),
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
        Values executor = connector.executor();
        if (executor == null) {
            return connector.transport() + "-" + connector.port() + "-worker";
        }
        String prefix = executor.text("namePrefix", "");
        return prefix.endsWith("-") ? prefix.substring(0, prefix.length() - 1) : prefix;
    }

    /** To be called after the server has stopped. */
    @Override
    public void close() {
        real.forEach(WorkerPool::close);
        virtual.forEach(VirtualWorkers::close);
    }
}
