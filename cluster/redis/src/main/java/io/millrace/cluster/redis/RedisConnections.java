package io.millrace.cluster.redis;

import io.millrace.servlet.session.store.RetryBackoff;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClusterInfoCache;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.util.JedisClusterCRC16;
import redis.clients.jedis.util.Pool;

/**
 * Connections to Redis, made when they are needed, and what is asked through them. A call whose connection was lost is repeated
 * once, on a new one; one without an answer in time is not. A node of a Redis Cluster that no longer has a key names the one that
 * has it, to which the call is made then. Thread-safe.
 */
final class RedisConnections {

    private static final int WAIT_MILLIS = 100;
    private static final int CLUSTER_ATTEMPTS = 3;
    private static final long LOG_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Of calls, unless something else is said. */
    static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    private final RedisOptions options;
    private final @Nullable SSLSocketFactory tls;
    private final ReentrantLock connecting = new ReentrantLock();
    private final ReadyConnections ready;
    private final AtomicLong unconfirmed = new AtomicLong();
    private final AtomicLong lastLine = new AtomicLong(System.nanoTime() - LOG_PAUSE_NANOS);
    private volatile Duration timeout = Duration.ZERO;
    private volatile @Nullable UnifiedJedis client;
    private volatile boolean closed;

    /** Whether the servers that are connected to now have been looked at. */
    private volatile boolean inspected;

    /** Whether slots of a cluster may have been moved to other nodes since the nodes were asked. */
    private volatile boolean isTopologyStale;

    /** What was said of them, so that it is said once. */
    private final Set<String> advice = new HashSet<>();

    /** @throws IllegalArgumentException if the file of certificates cannot be read; the message is a sentence for the operator */
    RedisConnections(RedisOptions options) {
        this.options = options;
        this.tls = options.tls() ? options.socketFactory() : null;
        ready = new ReadyConnections(toString(), options.connections(), new Pools(), this::isCurrent);
        ready.limit(DEFAULT_TIMEOUT);
    }

    /** The beginning of all keys. */
    String prefix() {
        String namespace = options.namespace();
        return "millrace:" + (namespace.isEmpty() ? "" : namespace + ":");
    }

    /** The longest timeout of an application is that of sockets, for all. */
    void limit(Duration ofCalls) {
        ready.limit(ofCalls);
        if (ofCalls.compareTo(timeout) > 0) {
            timeout = ofCalls;
        }
    }

    /** Connects, and returns what an operator should correct. */
    List<String> inspect(Duration ofCalls) {
        limit(ofCalls);
        List<String> found = new ArrayList<>();
        try {
            UnifiedJedis redis = client();
            pools(redis).forEach(pool -> found.addAll(ServerInspection.advice(pool)));
        } catch (IOException e) {
            found.add(String.valueOf(e.getMessage()));
        } catch (JedisException e) {
            found.add(RedisFailure.sentence(e, toString(), timeoutMillis()));
        }
        return List.copyOf(found);
    }

    void close() {
        closed = true;
        ready.close();
        UnifiedJedis open = client;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public String toString() {
        return options.toString();
    }

    // ---- calls

    /**
     * Runs a script, which Redis may not know yet: since it was started, or on this node.
     *
     * @param timeout of the call
     */
    @Nullable
    Object call(RedisScript script, List<byte[]> keys, List<byte[]> arguments, Duration timeout) throws IOException {
        return call(keys.get(0), script, connection -> run(connection, script, keys, arguments), timeout);
    }

    /** As {@link #call}, for what replicas should confirm. */
    @Nullable
    Object write(RedisScript script, List<byte[]> keys, List<byte[]> arguments, Duration timeout) throws IOException {
        return options.minReplicas() == 0
                ? call(script, keys, arguments, timeout)
                : call(keys.get(0), script, connection -> confirmed(connection, script, keys, arguments), timeout);
    }

    /** WAIT counts for the writes of its own connection only. */
    private @Nullable Object confirmed(
            Connection connection, RedisScript script, List<byte[]> keys, List<byte[]> arguments) {
        Object answer = run(connection, script, keys, arguments);
        Object replicas = connection.executeCommand(new CommandArguments(Protocol.Command.WAIT)
                .add(options.minReplicas())
                .add(WAIT_MILLIS));
        if (!(replicas instanceof Long number) || number < options.minReplicas()) {
            unconfirmed.incrementAndGet();
            report();
        }
        return answer;
    }

    private static @Nullable Object run(
            Connection connection, RedisScript script, List<byte[]> keys, List<byte[]> arguments) {
        try {
            return connection.executeCommand(command(Protocol.Command.EVALSHA, script.digest(), keys, arguments));
        } catch (JedisNoScriptException unknown) {
            return connection.executeCommand(command(Protocol.Command.EVAL, script.text(), keys, arguments));
        }
    }

    private static CommandArguments command(
            Protocol.Command name, byte[] script, List<byte[]> keys, List<byte[]> arguments) {
        return new CommandArguments(name)
                .add(script)
                .add(keys.size())
                .addObjects(keys)
                .addObjects(arguments);
    }

    private void report() {
        long before = lastLine.get();
        long now = System.nanoTime();
        if (now - before >= LOG_PAUSE_NANOS && lastLine.compareAndSet(before, now)) {
            RedisLog.LOG.unconfirmed(toString(), options.minReplicas(), unconfirmed.getAndSet(0));
        }
    }

    /** The fields of a hash and their values, alternating; none if it does not exist. */
    List<?> fields(byte[] key, Duration timeout) throws IOException {
        return list(key, new CommandArguments(Protocol.Command.HGETALL).key(key), timeout);
    }

    /** The number of members of a sorted set. */
    long count(byte[] key, Duration timeout) throws IOException {
        CommandArguments command = new CommandArguments(Protocol.Command.ZCARD).key(key);
        Object answer = call(key, null, connection -> connection.executeCommand(command), timeout);
        return answer instanceof Long number ? number : 0;
    }

    /** The first members of a sorted set. */
    List<?> members(byte[] key, int most, Duration timeout) throws IOException {
        return list(
                key,
                new CommandArguments(Protocol.Command.ZRANGE).key(key).add(0).add(most - 1),
                timeout);
    }

    private List<?> list(byte[] key, CommandArguments command, Duration timeout) throws IOException {
        Object answer = call(key, null, connection -> connection.executeCommand(command), timeout);
        return answer instanceof List<?> found ? found : List.of();
    }

    /** @param script that the call runs; null for none */
    private @Nullable Object call(
            byte[] key, @Nullable RedisScript script, ReadyConnections.Call call, Duration callTimeout)
            throws IOException {
        int slot = options.isCluster() ? JedisClusterCRC16.getSlot(key) : 0;
        long deadline = System.nanoTime() + callTimeout.toNanos();
        try {
            return repeated(() -> redirected(slot, script, call, callTimeout, deadline));
        } catch (JedisException e) {
            inspected = false;
            isTopologyStale = true;
            throw failure(e);
        } catch (IllegalStateException e) { // the pool was closed
            throw new IOException("the connections to Redis are closed", e);
        }
    }

    private interface Attempt {
        @Nullable
        Object make() throws IOException;
    }

    /** Repeats what failed with its connection: those that idled have all broken if Redis was restarted. */
    private @Nullable Object repeated(Attempt attempt) throws IOException {
        try {
            return attempt.make();
        } catch (JedisException e) {
            if (!RedisFailure.isWorthAnother(e)) {
                throw e;
            }
            inspected = false;
            isTopologyStale = true;
            ready.clear();
            pools(client()).forEach(Pool::clear);
            return attempt.make();
        }
    }

    /**
     * Follows a node of a cluster that has handed the slot over to another one (MOVED), or hands it over (ASK); while it hands over
     * the keys of one call, neither node can make it (TRYAGAIN).
     */
    private @Nullable Object redirected(
            int slot, @Nullable RedisScript script, ReadyConnections.Call call, Duration callTimeout, long deadline)
            throws IOException {
        RetryBackoff pauses = new RetryBackoff();
        HostAndPort named = null;
        for (int moves = 0; ; ) {
            try {
                return named == null
                        ? ready.call(slot, call, callTimeout, deadline)
                        : ready.call(named, connection -> asking(connection, script, call), callTimeout, deadline);
            } catch (JedisAskDataException asked) {
                named = asked.getTargetNode();
            } catch (JedisMovedDataException moved) {
                moves++;
                if (moves == CLUSTER_ATTEMPTS) {
                    throw moved;
                }
                named = null;
                isTopologyStale = true;
                ready.forget(slot);
            } catch (JedisDataException e) {
                if (!RedisFailure.isForNow(e) || deadline - System.nanoTime() <= 0) {
                    throw e;
                }
                named = null;
                pauses.pause();
            }
        }
    }

    /** ASKING is for one command, so the script must be known. */
    private static @Nullable Object asking(
            Connection connection, @Nullable RedisScript script, ReadyConnections.Call call) {
        if (script != null) {
            connection.executeCommand(new CommandArguments(Protocol.Command.SCRIPT)
                    .add(Protocol.Keyword.LOAD)
                    .add(script.text()));
        }
        connection.executeCommand(Protocol.Command.ASKING);
        return call.on(connection);
    }

    private IOException failure(JedisException cause) {
        return new IOException(RedisFailure.sentence(cause, toString(), timeoutMillis()), cause);
    }

    // ---- connections

    /** Sentinels and clusters are asked for their members first, so this may block and fail. */
    private UnifiedJedis client() throws IOException {
        UnifiedJedis open = client;
        if (open != null) {
            return open;
        }
        boolean locked = false;
        try {
            locked = connecting.tryLock(timeoutMillis(), TimeUnit.MILLISECONDS);
            if (!locked) {
                throw new IOException(RedisFailure.late(toString(), timeoutMillis()));
            }
            return client == null ? connect() : client;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting to Redis", e);
        } catch (JedisException e) {
            throw failure(e);
        } finally {
            if (locked) {
                connecting.unlock();
            }
        }
    }

    private UnifiedJedis connect() throws IOException {
        if (closed) {
            throw new IOException("the connections to Redis are closed");
        }
        UnifiedJedis made;
        if (options.master() != null) {
            made = RedisSentinelClient.builder()
                    .masterName(options.master())
                    .sentinels(nodes())
                    .sentinelClientConfig(config(options.sentinelUser(), options.sentinelPassword(), 0))
                    .clientConfig(config(options.user(), options.password(), options.database()))
                    .poolConfig(pool())
                    .build();
        } else if (options.isCluster()) {
            made = RedisClusterClient.builder()
                    .nodes(nodes())
                    .maxAttempts(CLUSTER_ATTEMPTS)
                    .maxTotalRetriesDuration(Duration.ofMillis(timeoutMillis()))
                    .clientConfig(config(options.user(), options.password(), 0))
                    .poolConfig(pool())
                    .build();
        } else {
            made = RedisClient.builder()
                    .hostAndPort(nodes().iterator().next())
                    .clientConfig(config(options.user(), options.password(), options.database()))
                    .poolConfig(pool())
                    .build();
        }
        client = made;
        return made;
    }

    private Set<HostAndPort> nodes() {
        Set<HostAndPort> nodes = new HashSet<>();
        options.nodes().forEach(node -> nodes.add(new HostAndPort(node.host(), node.port())));
        return nodes;
    }

    /** Without a thread that closes idle connections, and without MBeans. */
    private ConnectionPoolConfig pool() {
        ConnectionPoolConfig config = new ConnectionPoolConfig();
        config.setMaxTotal(options.connections());
        config.setMaxIdle(options.connections());
        config.setMaxWait(Duration.ofMillis(timeoutMillis()));
        config.setTimeBetweenEvictionRuns(Duration.ofMillis(-1));
        config.setJmxEnabled(false);
        return config;
    }

    @SuppressWarnings("deprecation") // SslOptions reads trust stores from files only, and no PEM
    private DefaultJedisClientConfig config(@Nullable String user, @Nullable String password, int database) {
        DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                .resp2()
                .connectionTimeoutMillis(timeoutMillis())
                .socketTimeoutMillis(timeoutMillis())
                .database(database)
                .clientName("millrace");
        if (password != null) {
            config.password(password);
        }
        if (user != null) {
            config.user(user);
        }
        if (tls != null) {
            SSLParameters parameters = new SSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            config.ssl(true).sslSocketFactory(tls).sslParameters(parameters);
        }
        return config.build();
    }

    private int timeoutMillis() {
        Duration limit = timeout.isZero() ? DEFAULT_TIMEOUT : timeout;
        return (int) Math.min(limit.toMillis(), Integer.MAX_VALUE);
    }

    private static Collection<Pool<Connection>> pools(UnifiedJedis redis) {
        List<Pool<Connection>> pools = new ArrayList<>();
        if (redis instanceof RedisClusterClient cluster) {
            pools.addAll(cluster.getClusterNodes().values());
        } else if (redis instanceof RedisSentinelClient sentinel) {
            pools.addAll(sentinel.getPrimaryNodesConnectionMap().values());
        } else if (redis instanceof RedisClient single) {
            pools.add(single.getPool());
        }
        return pools;
    }

    /** What opens connections, on threads of {@link ReadyConnections}. */
    private final class Pools implements ReadyConnections.Opening {

        @Override
        public Connection open(int slot) throws IOException {
            UnifiedJedis redis = client();
            if (redis instanceof RedisClusterClient cluster) {
                refresh(cluster);
                look(redis);
                return cluster.getConnectionFromSlot(slot);
            }
            look(redis);
            return pools(redis).iterator().next().getResource();
        }

        @Override
        public Connection open(HostAndPort server) throws IOException {
            UnifiedJedis redis = client();
            if (redis instanceof RedisClusterClient cluster) {
                refresh(cluster);
                Pool<Connection> pool = cluster.getClusterNodes().get(JedisClusterInfoCache.getNodeKey(server));
                if (pool != null) {
                    return pool.getResource();
                }
            }
            isTopologyStale = true;
            throw new IOException("Redis at " + RedisConnections.this + " names the node " + server
                    + ", which is not in its cluster; repair the cluster");
        }

        private void refresh(RedisClusterClient cluster) {
            if (isTopologyStale) {
                isTopologyStale = false;
                cluster.refreshClusterTopology();
            }
        }
    }

    /** Whether a connection leads to the server that Sentinels call the master now. */
    private boolean isCurrent(Connection connection) {
        return !(client instanceof RedisSentinelClient sentinel)
                || Objects.equals(sentinel.getCurrentMaster(), connection.getHostAndPort());
    }

    /** Looks once at the servers that are connected to, and again after a failure, as they may be others then. */
    private void look(UnifiedJedis redis) {
        if (inspected) {
            return;
        }
        for (Pool<Connection> pool : pools(redis)) {
            try {
                ServerInspection.advice(pool).forEach(this::advise);
            } catch (JedisException e) {
                // whoever needs this server reports that; a cluster goes on without it
            }
        }
        inspected = true;
    }

    private void advise(String sentence) {
        synchronized (advice) {
            if (advice.add(sentence.replaceAll("\\d", ""))) {
                RedisLog.LOG.advice(toString(), sentence);
            }
        }
    }
}
