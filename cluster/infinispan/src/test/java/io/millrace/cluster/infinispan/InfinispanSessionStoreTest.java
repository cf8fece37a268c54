package io.millrace.cluster.infinispan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import io.millrace.servlet.session.store.SessionStoreContract;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The store in the memory of two servers that encrypt what they send … */
final class InfinispanSessionStoreTest extends SessionStoreContract {

    private static final String SECRET = "a secret of some length";
    private static final AtomicInteger APPLICATIONS = new AtomicInteger();

    private static List<Integer> ports = List.of();
    private static ClusterNode here;
    private static ClusterNode there;
    private static String application = "";

    @BeforeAll
    static void start() throws IOException {
        ports = TestNodes.freePorts(2);
        here = node(ports.get(0), SECRET);
        there = node(ports.get(1), SECRET);
        here.start();
        there.start();
        TestNodes.awaitServing(here);
        TestNodes.awaitServing(there);
        TestNodes.awaitMembers(here, 2);
    }

    private static ClusterNode node(int port, String secret) {
        return new ClusterNode(InfinispanOptions.of(TestNodes.attributes(ports, port, Map.of("secret", secret))));
    }

    @AfterAll
    static void stop() {
        here.close();
        there.close();
    }

    @Override
    protected SessionStore store() {
        application = "/shop" + APPLICATIONS.incrementAndGet();
        return new InfinispanSessionStore(here, application);
    }

    @Override
    protected SessionStore other(SessionStore store) {
        return new InfinispanSessionStore(there, application);
    }

    private static SessionRecord session(byte... value) {
        return new SessionRecord("k", 0, 1_000, 2_000, 60, Map.of("a", value), Map.of());
    }

    @Test
    void keepsLargeSessions() throws IOException {
        SessionStore store = store();
        byte[] large = new byte[3 << 20];
        large[large.length - 1] = 1;
        assertTrue(store.write(session(large)));
        SessionRecord found = other(store).read("k");
        assertNotNull(found);
        assertArrayEquals(large, found.attributes().get("a"));
    }

    @Test
    void keepsApplicationsApart() throws IOException {
        SessionStore store = store();
        SessionStore longer = new InfinispanSessionStore(here, application + " values");
        assertTrue(store.write(session((byte) 1)));
        assertNull(longer.read("k"));
        assertEquals(0, longer.size());
        assertTrue(longer.write(session((byte) 2)));
        assertEquals(1, store.size());
    }

    @Test
    void isNotReadByAServerWithAnotherSecret() throws IOException {
        int port = TestNodes.freePorts(1).get(0);
        SessionStore store = store();
        assertTrue(store.write(session((byte) 1)));
        try (ClusterNode stranger = node(port, "another secret of that length")) {
            stranger.start();
            Deadline.await(
                    "it waits for those whose answers it cannot read",
                    TestNodes.MINUTE,
                    () -> stranger.inspect(TestNodes.MINUTE).toString().contains("which may have sessions"));
            SessionStore strange = new InfinispanSessionStore(stranger, application);
            assertThrows(IOException.class, () -> strange.read("k"));
            assertEquals(2, here.membership().size());
        }
        assertNotNull(other(store).read("k"));
    }
}
