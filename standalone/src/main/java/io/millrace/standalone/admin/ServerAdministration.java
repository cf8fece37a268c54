package io.millrace.standalone.admin;

import io.millrace.Connector;
import io.millrace.ConnectorState;
import java.nio.file.Path;
import java.util.List;

/** What operators see and do of a server, apart from its applications. Thread-safe. */
public interface ServerAdministration {

    /**
     * The threads that run the requests of a connector; it may share them with others.
     *
     * @param most of pooled ones; {@link Integer#MAX_VALUE} for virtual threads
     * @param alive pooled ones, idle or busy
     * @param busy those that run a request
     * @param queued requests that wait for one
     */
    record Threads(int most, int alive, int busy, int queued) {

        /** Whether a further request would have to wait. */
        public boolean areAllBusy() {
            return busy >= most;
        }
    }

    /** Millrace's version. */
    String version();

    /** The directory outside of which no file is deployed. */
    Path base();

    /** The connectors that are listening; empty before the server has started. */
    List<ConnectorState> connectors();

    Threads threads(Connector connector);

    /** Registers the MBeans of the server and its applications, unless that was done. */
    void showBeans();

    /** Reads the certificates again. Returns the reason for each host that keeps its current one. */
    List<String> reloadTls();
}
