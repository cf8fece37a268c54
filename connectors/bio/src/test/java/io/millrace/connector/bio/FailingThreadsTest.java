package io.millrace.connector.bio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.Probe;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.TransportHarness;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** While no thread can be started, it … */
@Timeout(120)
final class FailingThreadsTest {

    private static final int MANY = 12;

    private final AtomicBoolean failing = new AtomicBoolean();
    private final List<TransportHarness> harnesses = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        failing.set(false);
        for (TransportHarness each : harnesses) {
            each.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void losesOnlyTheConnectionsThatNeedOne(boolean kept) throws Exception {
        TransportHarness harness = harness(kept);
        harness.serve(Probe::echo);
        List<RawClient> clients = new ArrayList<>();
        List<Probe> probes = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            clients.add(harness.connect());
            assertEquals("x", clients.get(i).send("x").readText(1));
            probes.add(harness.accepted());
        }
        Deadline.await("all to wait", () -> threads(harness) == 0 || kept);
        failing.set(true);
        for (int i = 0; i < MANY / 2; i++) {
            clients.get(i).send("y");
        }
        for (int i = 0; i < MANY / 2; i++) {
            int each = i;
            if (!kept) {
                Deadline.await("its end to be told", () -> probes.get(each).closings() == 1);
                clients.get(i).awaitClose();
            } else {
                assertEquals("y", clients.get(i).readText(1)); // on an existing thread
            }
        }
        failing.set(false);
        for (int i = MANY / 2; i < MANY; i++) {
            assertEquals("z", clients.get(i).send("z").readText(1));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acceptsAgainWhenThreadsCanBeStarted(boolean kept) throws Exception {
        TransportHarness harness = harness(kept);
        Transport transport = harness.serve(Probe::echo);
        failing.set(true);
        harness.connect().awaitClose();
        Deadline.await("nobody to be counted", () -> transport.connections() == 0);
        failing.set(false);
        assertEquals("x", harness.connect().send("x").readText(1));
    }

    /** @param kept whether the threads are pooled, so that an existing one runs the next task */
    private TransportHarness harness(boolean kept) {
        TransportHarness harness = new TransportHarness(new TransportProvider() {
            @Override
            public String name() {
                return "bio";
            }

            @Override
            public Transport create(TransportOptions options) {
                ThreadFactory factory = task -> started(new Thread(task, options.name() + "-connection"));
                Threads threads = kept ? new PooledThreads(MANY, factory) : new VirtualConnectionThreads(factory);
                return new BioTransportProvider().create(options, threads);
            }
        });
        harnesses.add(harness);
        return harness;
    }

    private Thread started(Thread thread) {
        if (failing.get()) {
            throw new OutOfMemoryError("planted by the test: unable to create native thread");
        }
        return thread;
    }

    private static long threads(TransportHarness harness) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(harness.name() + "-connection"))
                .count();
    }
}
