package io.millrace.standalone;

import io.millrace.Connector;
import io.millrace.ConnectorState;
import io.millrace.Server;
import io.millrace.jmx.JmxDomain;
import io.millrace.standalone.admin.ServerAdministration;
import io.millrace.workers.WorkerPool;
import io.millrace.workers.Workers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The administration of a server, which exists before the server has started. */
final class RunningServer implements ServerAdministration {

    private final Path base;
    private final String version;
    private final JmxDomain jmx;
    private final Map<Connector, Workers> workers = new ConcurrentHashMap<>();
    private volatile @Nullable Server server;

    /**
     * @param base the base directory
     * @param version Millrace's
     * @param jmx its MBeans
     */
    RunningServer(Path base, String version, JmxDomain jmx) {
        this.jmx = jmx;
        this.base = base;
        this.version = version;
    }

    /** Remembers which threads run a connector's requests. */
    void add(Connector connector, Workers of) {
        workers.put(connector, of);
    }

    void started(Server running) {
        server = running;
    }

    /** Why it does not serve; null if it does. */
    @Nullable
    String notServing() {
        Server running = server;
        if (running == null) {
            return "the applications are starting";
        }
        return running.isRunning() ? null : "the server is stopping";
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Path base() {
        return base;
    }

    @Override
    public List<ConnectorState> connectors() {
        Server running = server;
        return running == null ? List.of() : running.connectorStates();
    }

    @Override
    public Threads threads(Connector connector) {
        return workers.get(connector) instanceof WorkerPool pool
                ? new Threads(pool.maxRunning(), pool.threads(), pool.active(), pool.queued())
                : new Threads(Integer.MAX_VALUE, 0, 0, 0);
    }

    JmxDomain jmx() {
        return jmx;
    }

    @Override
    public void showBeans() {
        jmx.show();
    }

    @Override
    public List<String> reloadTls() {
        Server running = server;
        return running == null ? List.of() : running.reloadTls();
    }
}
