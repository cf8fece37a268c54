package io.millrace.cluster.redis;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.JedisClusterCRC16;
import redis.clients.jedis.util.Pool;

/**
 * Connections to Redis, made when they are needed, and what is asked through them. A call whose connection was lost is repeated
 * once, on a new one; one without an answer in time is not. Thread-safe.
 */
final class RedisConnections {

    private static final int OLDEST = 6;
    private static final int WAIT_MILLIS = 100;
    private static final int CLUSTER_ATTEMPTS = 3;
    private static final long LOG_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    private final RedisOptions options;
    private final @Nullable SSLSocketFactory tls;
    private final ReentrantLock connecting = new ReentrantLock();
    private final AtomicLong unconfirmed = new AtomicLong();
    private final AtomicLong lastLine = new AtomicLong(System.nanoTime() - LOG_PAUSE_NANOS);
    private volatile Duration timeout = Duration.ZERO;
    private volatile @Nullable UnifiedJedis client;
    private volatile boolean closed;

    /** Whether the servers that are connected to now have been looked at. */
    private volatile boolean inspected;

    /** What was said of them, so that it is said once. */
    private final Set<String> advice = new HashSet<>();

    /** @throws IllegalArgumentException if the file of certificates cannot be read; the message is a sentence for the operator */
    RedisConnections(RedisOptions options) {
        this.options = options;
        this.tls = options.tls() ? options.socketFactory() : null;
    }

    /** The longest timeout of an application counts for all. */
    void limit(Duration ofCalls) {
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
            pools(redis).forEach(pool -> found.addAll(Inspection.of(pool).advice));
        } catch (IOException e) {
            found.add(String.valueOf(e.getMessage()));
        } catch (JedisException e) {
            found.add(sentence(e));
        }
        return List.copyOf(found);
    }

    void close() {
        closed = true;
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

    private interface Call<T> {
        T on(UnifiedJedis redis);
    }

    /** Runs a script, which Redis may not know yet: since it was started, or on this node. */
    Object call(RedisScript script, List<byte[]> keys, List<byte[]> arguments) throws IOException {
        return call(redis -> {
            try {
                return redis.evalsha(script.digest(), keys, arguments);
            } catch (JedisNoScriptException unknown) {
                return redis.eval(script.text(), keys, arguments);
            }
        });
    }

    /** As {@link #call}, for what replicas should confirm. */
    Object write(RedisScript script, List<byte[]> keys, List<byte[]> arguments) throws IOException {
        return options.minReplicas() == 0
                ? call(script, keys, arguments)
                : call(redis -> confirmed(redis, script, keys, arguments));
    }

    /** WAIT counts for the writes of its own connection only. */
    private Object confirmed(UnifiedJedis redis, RedisScript script, List<byte[]> keys, List<byte[]> arguments) {
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = connection(redis, keys.get(0))) {
                Object answer = run(connection, script, keys, arguments);
                Object replicas = connection.executeCommand(new CommandArguments(Protocol.Command.WAIT)
                        .add(options.minReplicas())
                        .add(WAIT_MILLIS));
                if (!(replicas instanceof Long number) || number < options.minReplicas()) {
                    unconfirmed.incrementAndGet();
                    report();
                }
                return answer;
            } catch (JedisRedirectionException moved) {
                if (attempt == CLUSTER_ATTEMPTS || !(redis instanceof RedisClusterClient cluster)) {
                    throw moved;
                }
                cluster.refreshClusterTopology();
            }
        }
    }

    private static Object run(Connection connection, RedisScript script, List<byte[]> keys, List<byte[]> arguments) {
        try {
            return connection.executeCommand(new CommandArguments(Protocol.Command.EVALSHA)
                    .add(script.digest())
                    .add(keys.size())
                    .addObjects(keys)
                    .addObjects(arguments));
        } catch (JedisNoScriptException unknown) {
            return connection.executeCommand(new CommandArguments(Protocol.Command.EVAL)
                    .add(script.text())
                    .add(keys.size())
                    .addObjects(keys)
                    .addObjects(arguments));
        }
    }

    private void report() {
        long before = lastLine.get();
        long now = System.nanoTime();
        if (now - before >= LOG_PAUSE_NANOS && lastLine.compareAndSet(before, now)) {
            RedisLog.LOG.unconfirmed(toString(), options.minReplicas(), unconfirmed.getAndSet(0));
        }
    }

    /** The fields of a hash; none if it does not exist. */
    Map<String, byte[]> fields(byte[] key) throws IOException {
        Map<String, byte[]> fields = new HashMap<>();
        call(redis -> redis.hgetAll(key))
                .forEach((name, value) -> fields.put(new String(name, StandardCharsets.UTF_8), value));
        return fields;
    }

    /** The number of members of a sorted set. */
    long count(byte[] key) throws IOException {
        return call(redis -> redis.zcard(key));
    }

    /** The first members of a sorted set. */
    List<byte[]> members(byte[] key, int most) throws IOException {
        return call(redis -> redis.zrange(key, 0, most - 1L));
    }

    /** Repeats what failed with its connection: those that idled have all broken if Redis was restarted. */
    private <T> T call(Call<T> call) throws IOException {
        UnifiedJedis redis = client();
        try {
            look(redis);
            try {
                return call.on(redis);
            } catch (JedisException e) {
                if (!isWorthAnother(e)) {
                    throw e;
                }
                inspected = false;
                pools(redis).forEach(Pool::clear);
                return call.on(redis);
            }
        } catch (JedisException e) {
            inspected = false;
            throw new IOException(sentence(e), e);
        } catch (IllegalStateException e) { // the pool was closed
            throw new IOException("the connections to Redis are closed", e);
        }
    }

    /** After a failover, connections may lead to what is a replica now; without an answer in time, there is no time left. */
    private static boolean isWorthAnother(JedisException failure) {
        return failure instanceof JedisConnectionException
                ? !isCausedBy(SocketTimeoutException.class, failure) && isAfterSending(failure)
                : startsWith("READONLY", failure);
    }

    /** A connection that could not be made cannot be made at once either. */
    private static boolean isAfterSending(JedisException failure) {
        return !isCausedBy(java.net.ConnectException.class, failure)
                && !isCausedBy(java.net.UnknownHostException.class, failure);
    }

    private static boolean startsWith(String code, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (String.valueOf(cause.getMessage()).startsWith(code)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCausedBy(Class<? extends Throwable> type, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
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
                throw new IOException("Redis at " + this + " did not answer within " + timeoutMillis() + " ms");
            }
            return client == null ? connect() : client;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting to Redis", e);
        } catch (JedisException e) {
            throw new IOException(sentence(e), e);
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

    private static Connection connection(UnifiedJedis redis, byte[] key) {
        return redis instanceof RedisClusterClient cluster
                ? cluster.getConnectionFromSlot(JedisClusterCRC16.getSlot(key))
                : pools(redis).iterator().next().getResource();
    }

    // ---- what may be wrong

    /** Looks once at the servers that are connected to, and again after a failure, as they may be others then. */
    private void look(UnifiedJedis redis) {
        if (inspected) {
            return;
        }
        for (Pool<Connection> pool : pools(redis)) {
            Inspection inspection = Inspection.of(pool);
            for (String sentence : inspection.advice) {
                advise(sentence);
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

    /** What a server says of itself. */
    private static final class Inspection {

        private static final String POLICY = "maxmemory_policy";

        private final List<String> advice = new ArrayList<>();

        static Inspection of(Pool<Connection> pool) {
            Inspection inspection = new Inspection();
            try (Connection connection = pool.getResource()) {
                inspection.look(connection);
            }
            return inspection;
        }

        private void look(Connection connection) {
            Map<String, String> info = info(connection);
            String name = String.valueOf(connection.getHostAndPort());
            String policy = info.getOrDefault(POLICY, "noeviction");
            if (!policy.equals("noeviction") && !policy.equals("volatile-ttl")) {
                advice.add("Redis at " + name + " has maxmemory-policy " + policy
                        + ", so that sessions disappear while they are used if its memory is full; set maxmemory-policy"
                        + " noeviction, or volatile-ttl, and a Redis of its own for caches");
            }
            List<?> time = (List<?>) connection.executeCommand(Protocol.Command.TIME);
            long seconds = Long.parseLong(new String((byte[]) time.get(0), StandardCharsets.US_ASCII));
            Duration ahead = Duration.ofMillis(System.currentTimeMillis() - TimeUnit.SECONDS.toMillis(seconds));
            if (ahead.abs().compareTo(MAX_CLOCK_DIFFERENCE) > 0) {
                advice.add("the clocks of this server and of Redis at " + name + " are "
                        + ahead.abs().toSeconds()
                        + " s apart, so that sessions expire early or late; synchronize both (NTP)");
            }
        }

        private static Map<String, String> info(Connection connection) {
            Object answer = connection.executeCommand(Protocol.Command.INFO);
            Map<String, String> info = new HashMap<>();
            if (answer instanceof byte[] text) {
                new String(text, StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> line.indexOf(':') > 0)
                        .forEach(line -> {
                            int colon = line.indexOf(':');
                            info.put(
                                    line.substring(0, colon),
                                    line.substring(colon + 1).strip());
                        });
            }
            return info;
        }
    }

    /** Without the full stop that Jedis writes. */
    private static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message.replaceAll("\\.$", "");
    }

    /** A failure as a sentence for the operator, with what to do. */
    private String sentence(JedisException failure) {
        String reason = String.valueOf(failure.getMessage());
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        for (Throwable ofNode : root.getSuppressed()) { // of a cluster
            if (ofNode instanceof JedisException known) {
                return sentence(known);
            }
        }
        if (startsWith("WRONGPASS", failure) || startsWith("ERR invalid password", failure)) {
            return "Redis at " + this + " refuses the user or the password; correct uri, or password";
        }
        if (startsWith("NOAUTH", failure)) {
            return "Redis at " + this + " asks for a password; add :PASSWORD@ before the host in uri, or password=";
        }
        if (startsWith("ERR unknown command `HELLO`", failure)) {
            return "Redis at " + this + " is older than version " + OLDEST
                    + ", which is needed: update it, or use another engine";
        }
        if (startsWith("NOPERM", failure)) {
            return "Redis at " + this + " does not permit what sessions need (" + root.getMessage()
                    + "); give the user +@all ~millrace:*";
        }
        if (startsWith("ERR DB index", failure)) {
            return "Redis at " + this
                    + " has no such database; correct the number at the end of uri, or raise databases of Redis";
        }
        if (startsWith("OOM", failure)) {
            return "Redis at " + this + " is full; raise its maxmemory";
        }
        if (startsWith("READONLY", failure)) {
            return "Redis at " + this + " is a replica; name the master in uri, or use Sentinels (?sentinel=NAME)";
        }
        if (startsWith("WRONGTYPE", failure)) {
            return "Redis at " + this + " has other data under a key of sessions; use a database of its own";
        }
        if (isCausedBy(SSLException.class, failure)) {
            return "TLS to Redis at " + this + " failed: " + root.getMessage()
                    + "; check that it speaks TLS there, and that caCertificateFile has the certificate of its authority";
        }
        if (isCausedBy(SocketTimeoutException.class, failure)) {
            return "Redis at " + this + " did not answer within " + timeoutMillis() + " ms";
        }
        if (failure instanceof JedisConnectionException
                || failure instanceof JedisClusterOperationException
                || isCausedBy(IOException.class, failure)) {
            return "Redis at " + this + " cannot be reached (" + reason(root) + "); start it, or correct uri";
        }
        return "Redis at " + this + " failed: "
                + (failure.getCause() == null ? reason : reason + ": " + root.getMessage());
    }
}
