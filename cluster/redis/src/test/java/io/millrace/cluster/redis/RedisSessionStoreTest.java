package io.millrace.cluster.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import io.millrace.servlet.session.store.SessionStoreContract;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** The store in Redis … */
final class RedisSessionStoreTest extends SessionStoreContract {

    private static final AtomicInteger APPLICATIONS = new AtomicInteger();
    private static final int LARGE = 1 << 20;

    private static RedisCluster here;
    private static RedisCluster there;
    private static RedisClient redis;
    private static String application = "";

    @BeforeAll
    static void start() throws IOException {
        RedisServer server = RedisServer.shared();
        here = RedisCluster.open(server.uri());
        there = RedisCluster.open(server.uri());
        redis = RedisClient.create(server.uri());
    }

    @AfterAll
    static void stop() {
        here.close();
        there.close();
        redis.close();
    }

    @Override
    protected SessionStore store() {
        application = "/shop{" + APPLICATIONS.incrementAndGet() + "}";
        return patient(here);
    }

    /** A busy machine is no failure here. */
    private static SessionStore patient(RedisCluster of) {
        SessionStore store = of.sessions(application);
        store.limitCalls(Duration.ofSeconds(20));
        return store;
    }

    @Override
    protected SessionStore other(SessionStore store) {
        return patient(there);
    }

    private static SessionRecord session(byte[] large, byte... small) {
        return new SessionRecord(
                "k", 0, 1_000, 2_000, 60, Map.of("large", large, "small", small, "gone", new byte[1]), Map.of());
    }

    private static SessionRecord read(SessionStore store) throws IOException {
        SessionRecord found = store.read("k");
        assertNotNull(found);
        return found;
    }

    private static long received() {
        return redis.info("stats")
                .lines()
                .filter(line -> line.startsWith("total_net_input_bytes:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void sendsOnlyTheAttributesThatChanged() throws IOException {
        SessionStore store = store();
        assertTrue(store.write(session(new byte[LARGE], (byte) 1)));
        SessionRecord base = read(store);
        long before = received();
        assertTrue(store.write(base.withChanges(Map.of("small", new byte[] {2}), List.of("gone")), base));
        assertTrue(received() - before < 10_000, "bytes received by Redis");
        SessionRecord next = read(other(store));
        assertArrayEquals(new byte[] {2}, next.attributes().get("small"));
        assertArrayEquals(new byte[LARGE], next.attributes().get("large"));
        assertEquals(2, next.attributes().size());
    }

    @Test
    void repeatsAWriteWhoseAnswerWasLostWithoutTakingItForAConflict() throws IOException {
        try (LossyRelay relay = new LossyRelay(RedisServer.shared().port());
                RedisCluster far = RedisCluster.open("redis://127.0.0.1:" + relay.port())) {
            store();
            SessionStore store = patient(far);
            assertNull(store.read("k"));
            relay.loseAnswers(1);
            assertTrue(store.write(session(new byte[1], (byte) 1)));
            SessionRecord base = read(store);
            assertEquals(1, base.version());
            relay.loseAnswers(1);
            assertTrue(store.write(base.withChanges(Map.of("small", new byte[] {2}), List.of()), base));
            assertEquals(2, read(store).version());
            relay.loseAnswers(1);
            assertTrue(store.remove("k"), "it is still the one that removed it");
            assertFalse(store.remove("k"));
        }
    }

    @Test
    void leavesASessionThatNobodyTakesToTheExpiryOfRedisAnHourLater() throws IOException {
        SessionStore store = store();
        store.write(session(new byte[1], (byte) 1));
        String key = redis.keys("millrace:*:s:k").stream()
                .filter(name -> name.contains("%7B" + APPLICATIONS + "%7D:"))
                .findFirst()
                .orElseThrow();
        long left = redis.pttl(key);
        assertTrue(left > 3_600_000 && left <= 3_660_000, "ms: " + left);
        redis.hset(key, "v", "x");
        assertNull(store.read("k"), "damaged");
        assertFalse(redis.exists(key.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void forgetsKeysWhoseSessionsRedisExpired() throws IOException {
        SessionStore store = store();
        store.write(session(new byte[1], (byte) 1));
        redis.keys("millrace:*%7B" + APPLICATIONS + "%7D*:s:k").forEach(redis::del);
        assertEquals(1, store.size());
        assertEquals(List.of(), store.takeExpired(100_000, 10));
        assertEquals(0, store.size());
    }
}
