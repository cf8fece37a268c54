package io.millrace.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {

    private final WorkerPool pool = new WorkerPool("test", 64, 2);

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void runsEveryTaskOnceThatManyThreadsQueue() throws Exception {
        int threads = 4;
        int each = 100_000;
        AtomicInteger ran = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(threads * each);
        for (int i = 0; i < threads; i++) {
            new Thread(() -> {
                        for (int n = 0; n < each; n++) {
                            pool.execute(() -> {
                                ran.incrementAndGet();
                                all.countDown();
                            });
                        }
                    })
                    .start();
        }
        await(all);
        assertEquals(threads * each, ran.get());
        assertEquals(0, pool.queued());
    }

    @Test
    void startsATaskAgainAndAgainAfterAllWorkersFellAsleep() throws Exception {
        for (int i = 0; i < 20_000; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            pool.execute(ran::countDown);
            await(ran);
        }
    }

    @Test
    void isNotSupervisedWhileTasksComeOneByOne() throws Exception {
        try (WorkerPool quiet = new WorkerPool("quiet", 4, 1)) {
            for (int i = 0; i < 100; i++) {
                AtomicReference<Thread> worker = new AtomicReference<>();
                CountDownLatch ran = new CountDownLatch(1);
                quiet.execute(() -> {
                    worker.set(Thread.currentThread());
                    ran.countDown();
                });
                await(ran);
                while (Objects.requireNonNull(worker.get()).getState() != Thread.State.TIMED_WAITING) {
                    Thread.onSpinWait();
                }
            }
            assertFalse(Thread.getAllStackTraces().keySet().stream()
                    .anyMatch(thread -> thread.getName().startsWith("quiet-supervisor")));
        }
    }

    @Test
    void endsItsThreadsWhenTheyAreRenewed() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(3);
        Queue<Thread> before = new ConcurrentLinkedQueue<>();
        AtomicReference<Thread> busy = new AtomicReference<>();
        for (int i = 0; i < 3; i++) {
            pool.execute(() -> {
                Thread worker = Thread.currentThread();
                boolean first = busy.compareAndSet(null, worker);
                before.add(worker);
                started.countDown();
                awaitUnchecked(first ? release : started);
            });
        }
        await(started);
        pool.renew();
        for (Thread thread : before) {
            if (!thread.equals(busy.get())) {
                thread.join(20_000);
                assertFalse(thread.isAlive());
            }
        }
        assertEquals(1, pool.active(), "a task is not disturbed");
        release.countDown();
        Thread worker = Objects.requireNonNull(busy.get());
        worker.join(20_000);
        assertFalse(worker.isAlive());
        CountDownLatch after = new CountDownLatch(1);
        pool.execute(() -> {
            assertFalse(before.contains(Thread.currentThread()));
            after.countDown();
        });
        await(after);
    }

    @Test
    void losesNoTaskWhileItsThreadsAreRenewed() throws Exception {
        int tasks = 50_000;
        CountDownLatch all = new CountDownLatch(tasks);
        for (int i = 0; i < tasks; i++) {
            pool.execute(all::countDown);
            if (i % 50 == 0) {
                pool.renew();
            }
        }
        await(all);
        assertEquals(0, pool.queued());
    }

    @Test
    void startsATaskQueuedBehindOnesThatBlock() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(64);
        for (int i = 0; i < 64; i++) {
            pool.execute(() -> {
                started.countDown();
                awaitUnchecked(release);
            });
        }
        await(started);
        assertEquals(64, pool.active());
        release.countDown();
    }

    @Test
    void runsNoMoreTasksAtOnceThanItHasThreads() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(64);
        CountDownLatch ended = new CountDownLatch(200);
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger peak = new AtomicInteger();
        for (int i = 0; i < 200; i++) {
            pool.execute(() -> {
                peak.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                started.countDown();
                awaitUnchecked(release);
                atOnce.decrementAndGet();
                ended.countDown();
            });
        }
        await(started);
        assertEquals(64, pool.threads());
        release.countDown();
        await(ended);
        assertEquals(64, peak.get());
    }

    @Test
    void startsTasksInTheOrderTheyCame() throws Exception {
        WorkerPool single = new WorkerPool("single", 1, 1);
        List<Integer> order = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(1000);
        for (int i = 0; i < 1000; i++) {
            int n = i;
            single.execute(() -> {
                order.add(n);
                all.countDown();
            });
        }
        await(all);
        for (int i = 0; i < 1000; i++) {
            assertEquals(i, order.get(i));
        }
        single.close();
    }

    /** Each wait is too short for a sample to observe; the processor usage shows it. */
    @Test
    void startsMoreWhereTasksWaitShortly() throws Exception {
        int most = Runtime.getRuntime().availableProcessors();
        CountDownLatch enough = new CountDownLatch(most + 2);
        AtomicBoolean over = new AtomicBoolean();
        ThreadLocal<Boolean> counted = ThreadLocal.withInitial(() -> {
            enough.countDown();
            return true;
        });
        for (int i = 0; i < 64; i++) {
            pool.execute(() -> waitShortly(counted, over));
        }
        await(enough);
        over.set(true);
    }

    private void waitShortly(ThreadLocal<Boolean> counted, AtomicBoolean over) {
        assertTrue(counted.get());
        LockSupport.parkNanos(100_000);
        if (!over.get()) {
            pool.execute(() -> waitShortly(counted, over));
        }
    }

    /** Threads that only compute would compete for processors. */
    @Test
    void startsFewWhereShortTasksCompute() throws Exception {
        int processors = Runtime.getRuntime().availableProcessors();
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch many = new CountDownLatch(500);
        for (int i = 0; i < 64; i++) {
            pool.execute(() -> compute(many, over));
        }
        await(many);
        over.set(true);
        int threads = pool.threads();
        assertTrue(threads <= 2 * processors + 4, threads + " threads");
    }

    /** Those that wait for slow clients, for example, do not mean that the tasks behind them will block too. */
    @Test
    void startsFewWhereShortTasksComputeBesideOnesThatHaveBeenBlockedForLong() throws Exception {
        int processors = Runtime.getRuntime().availableProcessors();
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(40);
        for (int i = 0; i < 40; i++) {
            pool.execute(() -> {
                blocked.countDown();
                awaitUnchecked(release);
            });
        }
        await(blocked);
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch settled = new CountDownLatch(1000); // what the blocked ones had to start has ended by then
        for (int i = 0; i < 24; i++) {
            pool.execute(() -> compute(settled, over));
        }
        await(settled);
        Set<Thread> busy = ConcurrentHashMap.newKeySet();
        CountDownLatch many = new CountDownLatch(200);
        for (int i = 0; i < 200; i++) {
            pool.execute(() -> {
                busy.add(Thread.currentThread());
                many.countDown();
            });
        }
        await(many);
        over.set(true);
        release.countDown();
        assertTrue(busy.size() <= 2 * processors + 4, busy.size() + " threads");
    }

    private void compute(CountDownLatch many, AtomicBoolean over) {
        long end = System.nanoTime() + 1_000_000;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        many.countDown();
        if (!over.get()) {
            pool.execute(() -> compute(many, over));
        }
    }

    @Test
    void rejectsWhatItsFullQueueCannotTake() throws Exception {
        whileBusyWithRoomForTwo(full -> {
            full.execute(() -> {});
            full.execute(() -> {});
            assertThrows(RejectedExecutionException.class, () -> full.execute(() -> {}));
        });
    }

    @Test
    void countsItsQueueExactlyHoweverManyThreadsComeAtOnce() throws Exception {
        int comers = 4;
        AtomicInteger taken = new AtomicInteger();
        CyclicBarrier round = new CyclicBarrier(comers + 1);
        for (int i = 0; i < 2_000; i++) {
            taken.set(0);
            whileBusyWithRoomForTwo(full -> {
                for (int n = 0; n < comers; n++) {
                    pool.execute(() -> {
                        meet(round);
                        if (full.take(() -> {})) {
                            taken.incrementAndGet();
                        }
                        meet(round);
                    });
                }
                meet(round);
                meet(round);
            });
            assertEquals(2, taken.get());
        }
    }

    private static void whileBusyWithRoomForTwo(Consumer<WorkerPool> comers) throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (WorkerPool full = new WorkerPool("full", 1, 0, Duration.ofMinutes(1), 2)) {
            full.execute(() -> {
                started.countDown();
                awaitUnchecked(release);
            });
            await(started);
            comers.accept(full);
            release.countDown();
        }
    }

    @Test
    void endsThreadsThatWereIdleForTheTimeGiven() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        try (WorkerPool brief = new WorkerPool("brief", 4, 0, Duration.ofMillis(1), 100)) {
            brief.execute(ran::countDown);
            await(ran);
            long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
            while (brief.threads() > 0 && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertEquals(0, brief.threads());
        }
    }

    @Test
    void goesOnAfterATaskThatThrows() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        pool.execute(() -> {
            throw new IllegalStateException("planted");
        });
        pool.execute(ran::countDown);
        await(ran);
    }

    @Test
    void knowsItsOwnThreads() throws Exception {
        AtomicBoolean inside = new AtomicBoolean();
        CountDownLatch ran = new CountDownLatch(1);
        pool.execute(() -> {
            inside.set(pool.isWorker());
            ran.countDown();
        });
        await(ran);
        assertTrue(inside.get());
        assertFalse(pool.isWorker());
    }

    @Test
    void tellsItsThreadsThatOthersWait() throws Exception {
        assertTrue(tellsThatOthersWait(64, Integer.MAX_VALUE));
        assertFalse(tellsThatOthersWait(64, 100_000), "the queue has no room for what can be done elsewhere");
        assertFalse(tellsThatOthersWait(1, Integer.MAX_VALUE), "it may be long until a thread is free");
    }

    /** Whether any of many short tasks finds that others are queued behind it. */
    private static boolean tellsThatOthersWait(int maxThreads, int maxQueueSize) throws Exception {
        try (WorkerPool asked = new WorkerPool("asked", maxThreads, 1, Duration.ofSeconds(60), maxQueueSize)) {
            CountDownLatch ended = new CountDownLatch(10_000);
            AtomicBoolean told = new AtomicBoolean();
            for (int i = 0; i < 10_000; i++) {
                asked.execute(() -> {
                    told.compareAndSet(false, asked.areOthersWaiting());
                    ended.countDown();
                });
            }
            assertFalse(asked.areOthersWaiting(), "asked by a stranger");
            await(ended);
            return told.get();
        }
    }

    @Test
    void runsWhatIsQueuedAndTakesNothingMoreOnceClosed() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            pool.execute(() -> {
                awaitUnchecked(release);
                all.countDown();
            });
        }
        pool.close();
        assertThrows(RejectedExecutionException.class, () -> pool.execute(() -> {}));
        release.countDown();
        await(all);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(20, TimeUnit.SECONDS), "not in time");
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
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
