package io.millrace.servlet.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Timers;
import io.millrace.servlet.session.StoreStatistics.Operation;
import io.millrace.servlet.session.StoreStatistics.Result;
import io.millrace.servlet.session.store.FaultyStore;
import io.millrace.servlet.session.store.SessionRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The guard of a session store … */
@Timeout(30)
final class StoreGuardTest {

    private static final SessionRecord SESSION = new SessionRecord("k", 0, 1, 1, 0, Map.of(), Map.of());

    /** Nothing is due unless the test says so. */
    private final SessionFixture fixture = new SessionFixture(new Timers("test", thread -> {}));

    private final FaultyStore store = new FaultyStore();
    private final AtomicLong ahead = new AtomicLong();
    private final StoreGuard guard = guard(2000, 3);

    private StoreGuard guard(int timeoutMillis, int concurrency) {
        SessionSettings settings = SessionSettings.DEFAULT
                .with(SessionSettings.STORE_TIMEOUT, timeoutMillis)
                .with(SessionSettings.STORE_CONCURRENCY, concurrency);
        return new StoreGuard(
                store, "/app", settings, fixture.server(Runnable::run), () -> System.nanoTime() + ahead.get());
    }

    private void pass(long seconds) {
        ahead.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    @AfterEach
    void close() {
        store.resume();
        guard.close();
        fixture.close();
    }

    private void failTimes(int times) {
        for (int i = 0; i < times; i++) {
            assertThrows(IOException.class, () -> guard.read("k"));
        }
    }

    @Test
    void asksNoMoreAfterFiveFailuresUntilAProbeSucceeds() throws IOException {
        guard.write(SESSION);
        store.down(true);
        failTimes(5);
        assertTrue(guard.isOpen());
        int asked = store.calls().size();
        failTimes(3);
        assertEquals(asked, store.calls().size());
        guard.probe();
        assertTrue(guard.isOpen());
        store.down(false);
        failTimes(1);
        guard.probe();
        assertFalse(guard.isOpen());
        assertNotNull(guard.read("k"));
    }

    @Test
    void staysClosedIfFailuresAreRare() throws IOException {
        store.down(true);
        for (int i = 0; i < 20; i++) {
            failTimes(1);
            pass(3);
        }
        assertFalse(guard.isOpen());
        store.down(false);
        guard.read("k");
        for (int i = 0; i < 20; i++) {
            store.fail("write"); // a session that is too large, say
            assertThrows(IOException.class, () -> guard.write(SESSION));
            store.fail(null);
            guard.read("other");
        }
        assertFalse(guard.isOpen(), "one session that cannot be stored must not cost the others theirs");
    }

    @Test
    void givesUpACallThatHangs() throws Exception {
        StoreGuard impatient = guard(50, 3);
        store.hang();
        IOException late = assertThrows(IOException.class, () -> impatient.read("k"));
        assertEquals("no answer within 50 ms", late.getMessage());
        assertEquals(
                1,
                impatient.statistics().durations(Operation.READ, Result.FAILED).count());
        impatient.close();
    }

    @Test
    void holdsFewThreadsWhileTheStoreHangs() throws Exception {
        store.hang();
        ExecutorService requests = Executors.newCachedThreadPool();
        try {
            List<Future<?>> first = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                String key = "k" + i;
                first.add(requests.submit(() -> guard.read(key)));
            }
            while (store.calls().size() < 3) {
                Thread.onSpinWait();
            }
            pass(1); // and nothing has completed
            assertThrows(IOException.class, () -> guard.read("another"));
            assertFalse(first.stream().anyMatch(Future::isDone));
            assertEquals(3, store.calls().size());
            store.resume();
            for (Future<?> each : first) {
                each.get();
            }
            assertNull(guard.read("another"));
        } finally {
            requests.shutdownNow();
        }
    }

    @Test
    void letsRequestsOfOneSessionWaitForOneFailureOnly() throws Exception {
        ExecutorService requests = Executors.newCachedThreadPool();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try {
            Future<?> first = requests.submit(() -> guard.exclusively("k", () -> {
                begun.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                throw new IOException("the store is down");
            }));
            begun.await();
            List<Thread> waiting = Collections.synchronizedList(new ArrayList<>());
            Future<?> second = requests.submit(() -> {
                waiting.add(Thread.currentThread());
                return guard.exclusively("k", () -> guard.read("k"));
            });
            while (waiting.isEmpty() || waiting.get(0).getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            end.countDown();
            assertThrows(Exception.class, first::get);
            assertThrows(Exception.class, second::get);
            assertEquals(List.of(), store.calls());
            guard.exclusively("k", () -> guard.read("k"));
            assertEquals(List.of("read k"), store.calls());
        } finally {
            requests.shutdownNow();
        }
    }

    @Test
    void knowsNoSessionThatCouldNotBeRemoved() throws IOException {
        guard.write(SESSION);
        store.fail("remove");
        assertThrows(IOException.class, () -> guard.remove("k"));
        assertNull(guard.read("k"));
        assertNull(guard.readIfNewer(SESSION));
        assertFalse(guard.touch("k", 2));
        assertFalse(guard.write(SESSION.withVersion(1)));
        assertEquals(1, store.sessions.size());
        guard.probe();
        assertEquals(1, store.sessions.size());
        store.fail(null);
        guard.probe();
        assertEquals(0, store.sessions.size());
        assertTrue(guard.write(SESSION), "the key may be used again");
    }

    @Test
    void removesWhatItCanWhenTheApplicationStops() throws IOException {
        guard.write(SESSION);
        store.fail("remove");
        assertThrows(IOException.class, () -> guard.remove("k"));
        store.fail(null);
        guard.close();
        assertEquals(0, store.sessions.size());
    }

    @Test
    void staysOpenIfItCannotRememberMoreEnds() {
        for (int i = 0; i < StoreGuard.MAX_TOMBSTONES; i++) {
            guard.bury("k" + i);
        }
        assertTrue(guard.isOpen());
        guard.probe();
        assertFalse(guard.isOpen());
    }

    /** Otherwise a session whose creation was given up could appear after its end. */
    @Test
    void asksNothingAboutASessionThatMayStillBeWritten() throws Exception {
        StoreGuard impatient = guard(50, 3);
        store.hang();
        assertThrows(IOException.class, () -> impatient.write(SESSION));
        assertThrows(IOException.class, () -> impatient.remove("k"));
        assertEquals(List.of("write k"), store.calls());
        store.resume();
        while (store.sessions.size() == 0) {
            Thread.onSpinWait();
        }
        impatient.close();
    }

    @Test
    void makesCallsOfAStoreThatLimitsThemOnTheThreadsOfTheirRequests() throws IOException {
        List<String> threads = new ArrayList<>();
        FaultyStore limited = new FaultyStore() {
            @Override
            public boolean limitCalls(Duration timeout) {
                return true;
            }

            @Override
            public @Nullable SessionRecord read(String key) throws IOException {
                threads.add(Thread.currentThread().getName());
                return super.read(key);
            }

            @Override
            public int size() throws IOException {
                threads.add(Thread.currentThread().getName());
                return super.size();
            }
        };
        StoreGuard direct = new StoreGuard(
                limited, "/direct", SessionSettings.DEFAULT, fixture.server(Runnable::run), System::nanoTime);
        try {
            direct.read("k");
            assertEquals(0, direct.size());
            assertEquals(
                    List.of(Thread.currentThread().getName(), "session-store/direct-1"),
                    threads,
                    "one that may look at all sessions may take longer");
            limited.down(true);
            for (int i = 0; i < 5; i++) {
                assertThrows(IOException.class, () -> direct.write(SESSION));
            }
            assertTrue(direct.isOpen());
        } finally {
            direct.close();
        }
    }

    @Test
    void throwsTheErrorsOfTheStore() throws IOException {
        FaultyStore failing = store;
        AssertionError error = assertThrows(
                AssertionError.class,
                () -> guard.exclusively("k", () -> {
                    failing.read("k");
                    throw new AssertionError("planted by the test");
                }));
        assertEquals("planted by the test", error.getMessage());
        guard.exclusively("k", () -> guard.read("k"));
    }

    @Test
    void countsCallsByWhatTheyCameTo() throws IOException {
        guard.write(SESSION);
        guard.write(SESSION);
        guard.read("k");
        guard.touch("k", 2);
        guard.remove("k");
        StoreStatistics counted = guard.statistics();
        assertEquals(1, counted.durations(Operation.WRITE, Result.OK).count());
        assertEquals(1, counted.durations(Operation.WRITE, Result.CONFLICT).count());
        assertEquals(1, counted.durations(Operation.READ, Result.OK).count());
        assertEquals(1, counted.durations(Operation.TOUCH, Result.OK).count());
        assertEquals(1, counted.durations(Operation.REMOVE, Result.OK).count());
        assertTrue(counted.durations(Operation.READ, Result.OK).read().nanos() > 0);
        assertFalse(counted.isOpen());
        store.down(true);
        failTimes(5);
        assertTrue(counted.isOpen());
    }

    @Test
    void logsALineAMinuteWithTheNumberOfRequests() throws IOException {
        List<String> lines = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                assertNull(line.getThrown());
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger("io.millrace.servlet.session");
        log.addHandler(handler);
        try {
            IOException reason = new IOException("connection refused");
            for (int i = 0; i < 100; i++) {
                guard.requestFailed(reason);
            }
            pass(61);
            guard.requestFailed(reason);
            guard.requestFailed(reason);
            failTimes(0);
            store.down(true);
            failTimes(5);
            store.down(false);
            guard.probe();
        } finally {
            log.removeHandler(handler);
        }
        String line =
                "MILLRACE4853: The session store of application \"/app\" (store of the test) failed; %s did not get"
                        + " a session, or lost its changes, since the last message: connection refused";
        assertEquals(
                List.of(
                        line.formatted("1 request"),
                        line.formatted("100 requests"),
                        "MILLRACE4857: The session store of application \"/app\" (store of the test) answers again;"
                                + " 102 requests failed meanwhile"),
                lines);
    }
}
