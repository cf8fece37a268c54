package io.millrace.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Timers;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker pool whose threads sometimes cannot be started, and whose tasks misbehave … */
class WorkerPoolFaultTest {

    private static final Logger LOG = Logger.getLogger("io.millrace.workers");

    private final Timers timers = new Timers("timers-under-test");
    /** The number of starts that succeed; negative for all. */
    private final AtomicInteger starts = new AtomicInteger(-1);

    private final WorkerPool pool =
            new WorkerPool("faulty", 64, 2, Duration.ofMinutes(1), Integer.MAX_VALUE, timers, false, this::start);
    private final List<String> logged = Collections.synchronizedList(new ArrayList<>());
    private final Handler listener = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.add(String.valueOf(line.getMessage()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private void start(Thread thread) {
        if (starts.getAndUpdate(left -> left > 0 ? left - 1 : left) == 0) {
            throw new OutOfMemoryError("unable to create native thread, says the test");
        }
        thread.start();
    }

    @BeforeEach
    void listen() {
        LOG.addHandler(listener);
    }

    @AfterEach
    void close() {
        LOG.removeHandler(listener);
        pool.close();
        timers.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void runsSixtyTasksAtOnceAfterThreadsCouldNotStart(int allowed) throws Exception {
        starts.set(allowed);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(40);
        for (int i = 0; i < 40; i++) {
            pool.execute(() -> {
                awaitUnchecked(release);
                ended.countDown();
            });
        }
        awaitUntil(() -> logged.stream().anyMatch(line -> line.contains("cannot start a worker thread")));
        assertEquals(allowed, pool.threads());
        starts.set(-1);
        release.countDown();
        await(ended);
        assertRunsAtOnce(60);
        assertEquals(
                1,
                logged.stream()
                        .filter(line -> line.contains("cannot start a worker thread"))
                        .count());
    }

    @Test
    void startsThreadsForWhatWaitsAsSoonAsTheyStartAgain() throws Exception {
        starts.set(1);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(40);
        for (int i = 0; i < 40; i++) {
            pool.execute(() -> {
                started.countDown();
                awaitUnchecked(release);
            });
        }
        starts.set(-1);
        await(started);
        release.countDown();
    }

    @Test
    void rejectsATaskThatNoThreadCanRun() throws Exception {
        starts.set(0);
        AtomicInteger ran = new AtomicInteger();
        assertThrows(RejectedExecutionException.class, () -> pool.execute(ran::incrementAndGet));
        assertEquals(0, pool.queued());
        starts.set(-1);
        awaitUntil(() -> pool.take(() -> {}));
        assertRunsAtOnce(60);
        assertEquals(0, ran.get(), "the rejected task");
    }

    /** One thread serves all timers: if it is blocked, tasks must not wait behind those that block. */
    @Test
    void startsThreadsWhileTheSupervisorIsHeldUp() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        timers.schedule(
                () -> {
                    held.countDown();
                    awaitUnchecked(release);
                },
                Duration.ZERO);
        await(held);
        CountDownLatch started = new CountDownLatch(40);
        for (int i = 0; i < 40; i++) {
            pool.execute(() -> {
                started.countDown();
                awaitUnchecked(release);
            });
        }
        awaitUntil(() -> {
            pool.execute(() -> LockSupport.parkNanos(1)); // further requests arrive
            LockSupport.parkNanos(1_000_000);
            return started.getCount() == 0;
        });
        release.countDown();
    }

    @Test
    void startsAllItsThreadsAfterTasksThatThrewAnything() throws Exception {
        List<Throwable> all = List.of(
                new IllegalStateException("planted"),
                new IOException("planted"),
                new OutOfMemoryError("planted"),
                new NoClassDefFoundError("planted"),
                new StackOverflowError("planted"),
                new InterruptedException("planted"),
                new AssertionError("planted"));
        CountDownLatch ended = new CountDownLatch(10 * all.size());
        for (int i = 0; i < 10; i++) {
            for (Throwable each : all) {
                pool.execute(() -> {
                    ended.countDown();
                    throwAny(each);
                });
            }
        }
        await(ended);
        assertRunsAtOnce(64);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAny(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void goesOnWhereAFailureCannotBeLogged() throws Exception {
        Handler broken = new Handler() {
            @Override
            public void publish(LogRecord line) {
                throw new OutOfMemoryError("planted");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        LOG.addHandler(broken);
        try {
            starts.set(2);
            CountDownLatch ended = new CountDownLatch(100);
            for (int i = 0; i < 100; i++) {
                pool.execute(() -> {
                    ended.countDown();
                    throw new IllegalStateException("planted");
                });
            }
            await(ended);
            starts.set(-1);
            assertRunsAtOnce(60);
        } finally {
            LOG.removeHandler(broken);
        }
    }

    @Test
    void runsTasksWithoutInterruptStatus() throws Exception {
        for (int i = 0; i < 100; i++) {
            pool.execute(() -> Thread.currentThread().interrupt());
        }
        AtomicInteger interrupted = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(200);
        for (int i = 0; i < 200; i++) {
            pool.execute(() -> {
                if (Thread.currentThread().isInterrupted()) {
                    interrupted.incrementAndGet();
                }
                Thread.currentThread().interrupt();
                ended.countDown();
            });
        }
        await(ended);
        assertEquals(0, interrupted.get());
    }

    /** As when the wait of a task is cancelled too late. */
    @Test
    void sleepsOnWhenAnIdleThreadIsInterrupted() throws Exception {
        CompletableFuture<Thread> worker = new CompletableFuture<>();
        pool.execute(() -> worker.complete(Thread.currentThread()));
        Thread idle = worker.get(20, TimeUnit.SECONDS);
        awaitUntil(() -> idle.getState() == Thread.State.TIMED_WAITING);
        idle.interrupt();
        awaitUntil(() -> !idle.isInterrupted() && idle.getState() == Thread.State.TIMED_WAITING);
        CompletableFuture<Boolean> seen = new CompletableFuture<>();
        pool.execute(() -> seen.complete(Thread.currentThread().isInterrupted()));
        assertFalse(seen.get(20, TimeUnit.SECONDS));
    }

    @Test
    void runsTasksWithItsOwnContextClassLoader() throws Exception {
        try (WorkerPool single = new WorkerPool("single", 1, 1);
                URLClassLoader foreign = new URLClassLoader(new URL[0])) {
            single.execute(() -> Thread.currentThread().setContextClassLoader(foreign));
            CompletableFuture<ClassLoader> seen = new CompletableFuture<>();
            single.execute(() -> seen.complete(Thread.currentThread().getContextClassLoader()));
            assertSame(WorkerPool.class.getClassLoader(), seen.get(20, TimeUnit.SECONDS));
        }
    }

    /** One of them ends only when all are running. */
    private void assertRunsAtOnce(int tasks) throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(tasks);
        CountDownLatch ended = new CountDownLatch(tasks);
        for (int i = 0; i < tasks; i++) {
            pool.execute(() -> {
                started.countDown();
                awaitUnchecked(release);
                ended.countDown();
            });
        }
        await(started);
        release.countDown();
        await(ended);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(30, TimeUnit.SECONDS), () -> latch.getCount() + " not in time");
    }

    private static void awaitUntil(BooleanSupplier happened) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!happened.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, "not in time");
            Thread.onSpinWait();
        }
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
