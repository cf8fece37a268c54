package io.millrace.cluster.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers with sessions in their memory … */
@Timeout(120)
final class ClusterNodeTest {

    private static final String APPLICATION = "/shop";
    private static final int SOME = 100;

    private final List<ClusterNode> nodes = new ArrayList<>();

    @AfterEach
    void stop() {
        nodes.forEach(ClusterNode::close);
    }

    private List<SessionStore> stores(int count) throws IOException {
        List<Integer> ports = TestNodes.freePorts(count);
        ports.forEach(port -> nodes.add(TestNodes.node(ports, port)));
        nodes.forEach(ClusterNode::start);
        nodes.forEach(TestNodes::awaitServing);
        nodes.forEach(node -> TestNodes.awaitStable(node, count));
        return nodes.stream().map(ClusterNodeTest::store).toList();
    }

    private static SessionStore store(ClusterNode node) {
        SessionStore store = new InfinispanSessionStore(node, APPLICATION);
        store.limitCalls(Duration.ofMillis(500));
        return store;
    }

    private static SessionRecord session(String key, int value) {
        byte[] number = ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
        return new SessionRecord(key, 0, 1_000, 2_000, 60, Map.of("a", number), Map.of());
    }

    private static int value(SessionRecord session) {
        return ByteBuffer.wrap(Objects.requireNonNull(session.attributes().get("a")))
                .getInt();
    }

    /** Counts in a session, and what the store said. */
    private static final class Counter implements AutoCloseable {

        private final SessionStore store;
        private final AtomicInteger told = new AtomicInteger();
        private final AtomicInteger inDoubt = new AtomicInteger();
        private final AtomicInteger refused = new AtomicInteger();
        private final AtomicBoolean ends = new AtomicBoolean();
        private final Thread thread = new Thread(this::count, "counting");

        Counter(SessionStore store) {
            this.store = store;
            thread.start();
        }

        private void count() {
            while (!ends.get()) {
                SessionRecord now;
                try {
                    now = Objects.requireNonNull(store.read("counter"));
                } catch (IOException e) {
                    refused.incrementAndGet();
                    continue;
                }
                try {
                    if (store.write(session("counter", value(now) + 1).withVersion(now.version()))) {
                        told.incrementAndGet();
                    }
                } catch (IOException e) {
                    inDoubt.incrementAndGet();
                }
            }
        }

        /** Waits for what happens from now on. */
        void await(String what, AtomicInteger count, int more) {
            int before = count.get();
            Deadline.await(what, TestNodes.MINUTE, () -> count.get() - before >= more);
        }

        @Override
        public void close() {
            end();
        }

        void end() {
            ends.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void assertCounted(SessionStore store, Counter... counters) throws IOException {
        int told = 0;
        int inDoubt = 0;
        for (Counter counter : counters) {
            told += counter.told.get();
            inDoubt += counter.inDoubt.get();
        }
        SessionRecord end = store.read("counter");
        assertNotNull(end);
        int counted = value(end);
        assertTrue(
                told <= counted && counted <= told + inDoubt,
                told + " <= " + counted + " <= " + told + " + " + inDoubt);
    }

    @Test
    void refuseSessionsOnBothSidesOfACutThatLeavesNoMajority() throws Exception {
        List<SessionStore> stores = stores(2);
        assertTrue(stores.get(0).write(session("counter", 0)));
        try (Counter one = new Counter(stores.get(0));
                Counter two = new Counter(stores.get(1))) {
            one.await("it counts", one.told, 20);
            two.await("it counts", two.told, 20);
            TestNodes.cut(nodes.get(0));
            TestNodes.awaitMembers(nodes.get(0), 1);
            TestNodes.awaitMembers(nodes.get(1), 1);
            one.await("no reads here", one.refused, 5);
            two.await("no reads there", two.refused, 5);
            TestNodes.join(nodes.get(0));
            one.await("it counts again", one.told, 20);
            two.await("it counts again", two.told, 20);
            one.end();
            two.end();
            assertCounted(stores.get(0), one, two);
            assertCounted(stores.get(1), one, two);
        }
    }

    @Test
    void goOnWhereTheMajorityIs() throws Exception {
        List<SessionStore> stores = stores(3);
        assertTrue(stores.get(0).write(session("counter", 0)));
        try (Counter many = new Counter(stores.get(0));
                Counter few = new Counter(stores.get(2))) {
            few.await("it counts", few.told, 20);
            TestNodes.cut(nodes.get(2));
            TestNodes.awaitMembers(nodes.get(0), 2);
            many.await("it goes on", many.told, 100);
            few.await("it does not", few.refused, 5);
            int told = few.told.get();
            many.await("it goes on", many.told, 100);
            assertEquals(told, few.told.get());
            TestNodes.join(nodes.get(2));
            few.await("it counts again", few.told, 20);
            many.end();
            few.end();
            assertCounted(stores.get(0), many, few);
            assertCounted(stores.get(2), many, few);
        }
    }

    @Test
    void waitForOneThatIsSilentButNotForOneThatDoesNotRun() throws Exception {
        List<Integer> ports = TestNodes.freePorts(3);
        ClusterNode node = TestNodes.node(ports, ports.get(0));
        nodes.add(node);
        try (ServerSocket silent = new ServerSocket(ports.get(1), 50, InetAddress.getLoopbackAddress())) {
            node.start();
            Deadline.await(
                    "it waits",
                    TestNodes.MINUTE,
                    () -> node.inspect(Duration.ZERO)
                            .toString()
                            .contains("waits for 127.0.0.1:" + silent.getLocalPort()));
            assertThrows(IOException.class, () -> store(node).read("k"));
        }
        TestNodes.awaitServing(node);
        assertTrue(store(node).write(session("k", 1)));
    }

    @Test
    void keepWhatAServerThatIsKilledWasTold() throws Exception {
        List<Integer> ports = TestNodes.freePorts(2);
        Map<String, String> quick = Map.of("dropTime", "1000");
        List<CountingProcess> all = new ArrayList<>();
        for (int port : ports) {
            all.add(new CountingProcess(List.of(), TestNodes.attributes(ports, port, quick)));
        }
        try {
            all.forEach(CountingProcess::awaitServing);
            all.forEach(process -> process.await("w", SOME));
            all.get(1).kill();
            all.get(0).await("w", SOME);
            all.add(new CountingProcess(List.of(), TestNodes.attributes(ports, ports.get(1), quick)));
            all.get(2).awaitServing();
            all.get(2).await("w", SOME);
            all.get(0).kill();
            all.get(2).await("w", SOME);
            all.get(2).kill();
            assertEquals(List.of(), CountingProcess.violations(all));
        } finally {
            all.forEach(CountingProcess::close);
        }
    }
}
