package io.millrace.servlet.session.cluster;

import io.millrace.servlet.session.store.SessionStore;
import java.time.Duration;
import java.util.List;

/** The access of one server to an engine that keeps the sessions of several. Thread-safe. {@code toString} names the engine. */
public interface SessionCluster extends AutoCloseable {

    /**
     * The store of one application's sessions. Servers that give an application the same name share its sessions.
     *
     * @param application any name
     */
    SessionStore sessions(String application);

    /**
     * Connects, and looks for what an operator should correct. Blocks, for about the timeout at most.
     *
     * @param timeout for connecting and for each answer
     * @return a sentence each, with what to do; empty if all is well
     */
    List<String> inspect(Duration timeout);

    /** Closes all connections. Calls of the stores fail from then on. */
    @Override
    void close();
}
