package io.millrace.cluster.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions in several Redis servers … */
@Tag("soak")
@Timeout(180)
final class RedisTopologyTest {

    private static final int SESSIONS = 200;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static SessionRecord session(int number) {
        return new SessionRecord("k" + number, 0, 1_000, 2_000, 60, Map.of("a", new byte[] {1}), Map.of());
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
    }

    private static boolean succeeds(SessionStore store, int number) {
        try {
            return store.read("k" + number) != null;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void surviveAFailoverThatSentinelsDecide() throws Exception {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.start("--replicaof", "127.0.0.1", String.valueOf(master.port()));
                RedisServer sentinel = RedisServer.launch(
                        "redis-sentinel",
                        "--port",
                        "sentinel monitor shop 127.0.0.1 " + master.port() + " 1",
                        "sentinel down-after-milliseconds shop 1000",
                        "sentinel failover-timeout shop 5000");
                RedisCluster redis = RedisCluster.open(RedisOptions.of(
                        Map.of("uri", sentinel.uri() + "?sentinel=shop", "minReplicas", "1"), Path.of("")))) {
            SessionStore store = redis.sessions("shop");
            run("redis-cli", "-p", String.valueOf(master.port()), "WAIT", "1", "10000");
            for (int i = 0; i < SESSIONS; i++) {
                assertTrue(store.write(session(i)));
            }
            Deadline.await("the Sentinel knows the replica", MINUTE, () -> knows(sentinel, replica));
            master.kill();
            Deadline.await("the replica is the master", MINUTE, () -> succeeds(store, 0));
            for (int i = 0; i < SESSIONS; i++) {
                SessionRecord found = store.read("k" + i);
                assertNotNull(found, "confirmed by the replica");
                assertTrue(store.write(found, found));
            }
        }
    }

    private static boolean knows(RedisServer sentinel, RedisServer replica) {
        try {
            Process asked = new ProcessBuilder(
                            "redis-cli", "-p", String.valueOf(sentinel.port()), "SENTINEL", "REPLICAS", "shop")
                    .start();
            return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .contains(String.valueOf(replica.port()));
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void areDistributedOverTheNodesOfACluster() throws Exception {
        List<RedisServer> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                nodes.add(RedisServer.start("--cluster-enabled", "yes"));
            }
            List<String> addresses =
                    nodes.stream().map(node -> "127.0.0.1:" + node.port()).toList();
            run(Stream.of(List.of("redis-cli", "--cluster", "create"), addresses, List.of("--cluster-yes"))
                    .flatMap(List::stream)
                    .toArray(String[]::new));
            try (RedisCluster redis = RedisCluster.open("redis://" + addresses.get(0) + "?cluster=true")) {
                SessionStore store = redis.sessions("shop");
                Deadline.await("the cluster agrees on its slots", MINUTE, () -> writes(store));
                for (int i = 1; i < SESSIONS; i++) {
                    assertTrue(store.write(session(i)));
                    SessionRecord found = store.readIfNewer(session(i).withVersion(1));
                    assertNotNull(found);
                    assertTrue(store.write(found.withChanges(Map.of("b", new byte[1]), List.of()), found));
                }
                moveSlots(nodes, store);
                assertEquals(SESSIONS, store.size());
                assertEquals(SESSIONS, store.keys(1_000).size());
                assertTrue(store.remove("k1"));
                assertEquals(SESSIONS - 1, store.takeExpired(100_000, 1_000).size());
                assertTrue(store.isEmpty());
                assertEquals(List.of(), redis.inspect(Duration.ofSeconds(2)));
            }
        } finally {
            nodes.forEach(RedisServer::close);
        }
    }

    /** Sessions are read and written while their slots, with scripts that the new node does not know, are handed over, and afterwards. */
    private static void moveSlots(List<RedisServer> nodes, SessionStore store) throws Exception {
        String from = "127.0.0.1:" + nodes.get(0).port();
        String to = "127.0.0.1:" + nodes.get(1).port();
        run("redis-cli", "-p", String.valueOf(nodes.get(1).port()), "SCRIPT", "FLUSH");
        String id = output("redis-cli", "-p", String.valueOf(nodes.get(1).port()), "CLUSTER", "MYID");
        String source = output("redis-cli", "-p", String.valueOf(nodes.get(0).port()), "CLUSTER", "MYID");
        AtomicBoolean moved = new AtomicBoolean();
        Thread mover = new Thread(() -> {
            try {
                run(
                        "redis-cli",
                        "--cluster",
                        "reshard",
                        from,
                        "--cluster-from",
                        source,
                        "--cluster-to",
                        id,
                        "--cluster-slots",
                        "5000",
                        "--cluster-yes");
            } catch (Exception e) {
                throw new AssertionError(to, e);
            } finally {
                moved.set(true);
            }
        });
        mover.start();
        boolean last;
        do {
            last = moved.get();
            for (int i = 1; i < SESSIONS; i++) {
                SessionRecord found = store.access("k" + i, null, 3_000).session();
                assertNotNull(found);
                assertTrue(store.write(found.withChanges(Map.of("c", new byte[1]), List.of()), found));
            }
        } while (!last);
        mover.join();
    }

    private static String output(String... command) throws Exception {
        Process process = new ProcessBuilder(command).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private static boolean writes(SessionStore store) {
        try {
            return store.write(session(0));
        } catch (IOException e) {
            return false;
        }
    }
}
