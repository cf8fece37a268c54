package io.millrace.cluster.redis;

import io.millrace.servlet.session.cluster.SessionCluster;
import io.millrace.servlet.session.store.SessionStore;
import java.time.Duration;
import java.util.List;

/**
 * Redis or Valkey, 6 or later, as the store of sessions that several servers share: one server, a master that Sentinels know, or a
 * Redis Cluster. Connects when it is needed, so that servers may be started before Redis. Thread-safe.
 *
 * <pre>
 * RedisCluster redis = RedisCluster.open("redis://localhost:6379");
 * application.sessions(SessionSettings.DEFAULT.shared(redis.sessions("shop")));
 * </pre>
 *
 * <p>Close it after the servers that use it have stopped.
 */
public final class RedisCluster implements SessionCluster {

    private final RedisConnections connections;

    private RedisCluster(RedisConnections connections) {
        this.connections = connections;
    }

    /**
     * Makes the access to Redis at a URI, as {@link RedisOptions} describes it. Does not connect.
     *
     * @throws IllegalArgumentException if the URI is not valid; the message is a sentence for the operator, without passwords
     */
    public static RedisCluster open(String uri) {
        return open(RedisOptions.of(uri));
    }

    /**
     * Makes the access to Redis. Does not connect.
     *
     * @throws IllegalArgumentException if the file of certificates cannot be read; the message is a sentence for the operator
     */
    public static RedisCluster open(RedisOptions options) {
        return new RedisCluster(new RedisConnections(options));
    }

    @Override
    public SessionStore sessions(String application) {
        return new RedisSessionStore(connections, application);
    }

    @Override
    public List<String> inspect(Duration timeout) {
        return connections.inspect(timeout);
    }

    @Override
    public void close() {
        connections.close();
    }

    @Override
    public String toString() {
        return connections.toString();
    }
}
