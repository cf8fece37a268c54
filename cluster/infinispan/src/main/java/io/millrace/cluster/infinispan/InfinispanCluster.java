package io.millrace.cluster.infinispan;

import io.millrace.servlet.session.cluster.SessionCluster;
import io.millrace.servlet.session.store.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Infinispan inside of the servers as the store of the sessions that they share: each session is in the memory of two of them. Joins the
 * others when the first store is asked for, so that servers may be started in any order. Thread-safe.
 *
 * <pre>
 * InfinispanCluster cluster = InfinispanCluster.open("127.0.0.1:7800,127.0.0.1:7801", 7800);
 * application.sessions(SessionSettings.DEFAULT.shared(cluster.sessions("shop")));
 * </pre>
 *
 * <p>Close it after the server that uses it has stopped. The others have copies of its sessions.
 */
public final class InfinispanCluster implements SessionCluster {

    private final ClusterNode node;

    private InfinispanCluster(ClusterNode node) {
        this.node = node;
    }

    /**
     * Makes a server of a cluster on one machine, whose servers find each other on the loopback interface. Does not connect.
     *
     * @param peers the servers, with their ports, separated by commas
     * @param port this server's
     * @throws IllegalArgumentException if they are not valid; the message is a sentence for the operator
     */
    public static InfinispanCluster open(String peers, int port) {
        return open(InfinispanOptions.of(Map.of("peers", peers, "port", Integer.toString(port))));
    }

    /** Makes a server of a cluster. Does not connect. */
    public static InfinispanCluster open(InfinispanOptions options) {
        return new InfinispanCluster(new ClusterNode(options));
    }

    /** Joins the cluster, if that has not begun yet. Does not wait. */
    @Override
    public SessionStore sessions(String application) {
        node.start();
        return new InfinispanSessionStore(node, application);
    }

    /** Does not join: where sessions have not been asked for, it only looks whether the other servers can be reached. */
    @Override
    public List<String> inspect(Duration timeout) {
        return node.inspect(timeout);
    }

    @Override
    public void close() {
        node.close();
    }

    @Override
    public String toString() {
        return node.toString();
    }
}
