package io.millrace.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.io.IdleLoops;
import io.millrace.io.LoopRole;
import io.millrace.io.Timers;
import io.millrace.workers.Workers.Verdict;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool whose tasks run on the thread of an event loop … */
@Timeout(60)
final class InlineLoopsTest {

    private final Timers timers = new Timers("timers-under-test");
    private final AtomicInteger starts = new AtomicInteger(Integer.MAX_VALUE);
    private WorkerPool pool = pool(8);

    private WorkerPool pool(int maxThreads) {
        return new WorkerPool(
                "pool", maxThreads, 8, Duration.ofMinutes(1), Integer.MAX_VALUE, timers, false, this::start);
    }

    private void start(Thread thread) {
        if (starts.getAndDecrement() <= 0) {
            throw new OutOfMemoryError("unable to create native thread, says the test");
        }
        thread.start();
    }

    @AfterEach
    void close() {
        pool.close();
        timers.close();
    }

    /** Polls until its own thread is back. */
    private static final class Loop implements LoopRole.Loop {

        private final LoopRole role = new LoopRole(this, new IdleLoops());
        private final AtomicInteger polls = new AtomicInteger();
        private final AtomicInteger failures = new AtomicInteger();

        @Override
        public void poll() {
            polls.incrementAndGet();
            if (failures.getAndDecrement() > 0) {
                throw new OutOfMemoryError("planted by the test");
            }
            while (!role.isToStop() && !role.isEnded()) {
                LockSupport.parkNanos(100_000);
            }
        }

        @Override
        public void wakeUp() {}

        @Override
        public void startThread() {}

        @Override
        public void failed(Throwable failure) {}

        @Override
        public String toString() {
            return "loop";
        }
    }

    private static final class LoopThread extends Thread implements LoopRole.Holder {

        private final Loop loop;

        LoopThread(Loop loop, Runnable code) {
            super(code, "loop");
            this.loop = loop;
        }

        @Override
        public boolean isPolling() {
            return !loop.role.isLost();
        }

        @Override
        public @Nullable LoopRole role() {
            return loop.role;
        }
    }

    /** What happens on the loop's thread. */
    private interface Code {
        void run(Loop loop) throws Exception;
    }

    private final Loop loop = new Loop();

    /** Runs code on a loop's thread, and reports its failure. */
    private CompletableFuture<Void> onLoop(Code code) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        new LoopThread(loop, () -> {
                    loop.role.setLoopThread();
                    try {
                        code.run(loop);
                        ended.complete(null);
                    } catch (Throwable failed) {
                        ended.completeExceptionally(failed);
                    }
                })
                .start();
        return ended;
    }

    private void startWorkers(int count) throws Exception {
        CountDownLatch all = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            pool.execute(() -> {
                all.countDown();
                awaitUnchecked(all);
            });
        }
        assertTrue(all.await(30, TimeUnit.SECONDS));
        awaitUntil(() -> pool.active() == 0);
    }

    /** Asks as often as it takes: the second time within a millisecond, and when a worker sleeps. */
    private void begin() {
        awaitUntil(() -> {
            boolean lent = pool.beginInline(loop.role, System.nanoTime());
            return lent || pool.beginInline(loop.role, System.nanoTime());
        });
    }

    /** Ends a task during which a worker has polled. */
    private Verdict endTakenOver() {
        Verdict verdict = pool.endInline(loop.role);
        assertTrue(loop.role.isLost());
        return verdict;
    }

    @Test
    void runsNothingOnTheLoopsThreadWithoutAWorkerToPoll() throws Exception {
        starts.set(0);
        onLoop(loop -> {
                    for (int i = 0; i < 100; i++) {
                        assertFalse(pool.beginInline(loop.role, System.nanoTime()));
                    }
                    assertFalse(pool.isWorker());
                })
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void startsAWorkerToPollIfTheOthersAreBusy() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        pool.execute(() -> awaitUnchecked(over));
        onLoop(loop -> {
                    begin();
                    pool.endInline(loop.role);
                    over.countDown();
                })
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void startsFewWorkersForALoop() throws Exception {
        pool.close();
        pool = pool(100);
        CountDownLatch over = new CountDownLatch(1);
        int busy = Runtime.getRuntime().availableProcessors() + 10;
        CountDownLatch all = new CountDownLatch(busy);
        for (int i = 0; i < busy; i++) {
            pool.execute(() -> {
                all.countDown();
                awaitUnchecked(over);
            });
        }
        assertTrue(all.await(30, TimeUnit.SECONDS));
        int threads = pool.threads();
        onLoop(loop -> {
                    for (int i = 0; i < 100; i++) {
                        pool.beginInline(loop.role, System.nanoTime());
                    }
                })
                .get(30, TimeUnit.SECONDS);
        assertEquals(threads, pool.threads());
        over.countDown();
    }

    @Test
    void tellsATaskThatComputes() throws Exception {
        startWorkers(1);
        onLoop(loop -> {
                    begin();
                    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
                    while (loop.polls.get() == 0 || System.nanoTime() - end < 0) {
                        Thread.onSpinWait();
                    }
                    assertEquals(Verdict.COMPUTED, endTakenOver());
                    assertTrue(loop.role.claim());
                })
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void tellsATaskThatSleeps() throws Exception {
        startWorkers(1);
        onLoop(loop -> {
                    begin();
                    awaitUntil(() -> loop.polls.get() == 1, TimeUnit.MILLISECONDS.toNanos(50));
                    assertEquals(Verdict.WAITED, endTakenOver());
                    assertTrue(loop.role.claim());
                })
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void tellsATaskThatReadsASocket() throws Exception {
        assumeTrue(KernelThread.ofCurrentThread() != null, "this system does not tell");
        startWorkers(1);
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(listening.getInetAddress(), listening.getLocalPort());
                Socket accepted = listening.accept()) {
            CompletableFuture<Void> ended = onLoop(loop -> {
                begin();
                assertEquals(1, accepted.getInputStream().read());
                assertEquals(Verdict.WAITED, endTakenOver());
                assertTrue(loop.role.claim());
            });
            awaitUntil(() -> loop.polls.get() == 1);
            client.getOutputStream().write(1);
            ended.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void blamesNoTaskForAnotherOneThatHasALock() throws Exception {
        assumeTrue(KernelThread.ofCurrentThread() != null, "this system does not tell");
        startWorkers(1);
        Object lock = new Object();
        CountDownLatch locked = new CountDownLatch(1);
        CompletableFuture<Void> owner = CompletableFuture.runAsync(
                () -> {
                    synchronized (lock) {
                        locked.countDown();
                        awaitUntil(() -> loop.polls.get() == 1);
                    }
                },
                task -> new Thread(task).start());
        onLoop(loop -> {
                    assertTrue(locked.await(30, TimeUnit.SECONDS));
                    begin();
                    synchronized (lock) {
                        assertEquals(Verdict.SHORT, endTakenOver());
                    }
                    assertTrue(loop.role.claim());
                })
                .get(30, TimeUnit.SECONDS);
        owner.get(30, TimeUnit.SECONDS);
    }

    @Test
    void takesTheLoopsThreadForAWorkerMeanwhile() throws Exception {
        startWorkers(1);
        onLoop(loop -> {
                    begin();
                    assertTrue(pool.isWorker());
                    pool.endInline(loop.role);
                    assertFalse(loop.role.isLost());
                    assertFalse(pool.isWorker());
                })
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void letsAWorkerPollForATaskThatIsNotShort() throws Exception {
        startWorkers(1);
        onLoop(loop -> {
                    begin();
                    awaitUntil(() -> loop.polls.get() == 1);
                    assertTrue(pool.isWorker());
                    assertFalse(loop.role.isVacant());
                    endTakenOver();
                    assertTrue(pool.isWorker(), "until it is back in its loop");
                    assertTrue(loop.role.claim());
                    assertFalse(pool.isWorker());
                    begin();
                    pool.endInline(loop.role);
                    assertFalse(loop.role.isLost());
                })
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void letsAWorkerPollBeforeATaskWaits() throws Exception {
        startWorkers(1);
        onLoop(loop -> {
                    begin();
                    pool.beginWait();
                    awaitUntil(() -> loop.polls.get() == 1);
                    pool.endWait();
                    assertEquals(Verdict.WAITED, endTakenOver());
                    assertTrue(loop.role.claim());
                })
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void keepsTheLastWorkerForTheLoop() throws Exception {
        pool.close();
        pool = pool(1);
        startWorkers(1);
        CountDownLatch ran = new CountDownLatch(1);
        onLoop(loop -> {
                    begin();
                    pool.execute(ran::countDown);
                    awaitUntil(() -> loop.polls.get() == 1);
                    assertEquals(1, ran.getCount(), "the only worker polls");
                    endTakenOver();
                    assertTrue(loop.role.claim());
                    assertTrue(ran.await(30, TimeUnit.SECONDS));
                })
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void runsATaskForWhichTheLastWorkerWasNotFreeAfterwards() throws Exception {
        pool.close();
        pool = pool(1);
        startWorkers(1);
        CountDownLatch ran = new CountDownLatch(1);
        onLoop(loop -> {
                    begin();
                    pool.execute(ran::countDown);
                    pool.endInline(loop.role);
                    loop.role.claim();
                    assertTrue(ran.await(30, TimeUnit.SECONDS));
                })
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void pollsAlthoughNoThreadCanBeStarted() throws Exception {
        startWorkers(2);
        starts.set(0);
        onLoop(loop -> {
                    for (int i = 1; i <= 20; i++) {
                        int times = i;
                        begin();
                        awaitUntil(() -> loop.polls.get() == times);
                        endTakenOver();
                        assertTrue(loop.role.claim());
                    }
                })
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void letsAnotherWorkerPollIfOneFails() throws Exception {
        startWorkers(3);
        loop.failures.set(3);
        onLoop(loop -> {
                    begin();
                    awaitUntil(() -> loop.polls.get() == 4);
                    endTakenOver();
                    assertTrue(loop.role.claim());
                })
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void letsTheLoopsThreadPollIfEveryWorkerFails() throws Exception {
        startWorkers(2);
        loop.failures.set(Integer.MAX_VALUE);
        onLoop(loop -> {
                    begin();
                    awaitUntil(() -> loop.polls.get() > 2);
                    pool.endInline(loop.role);
                    assertTrue(loop.role.claim());
                })
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void runsOtherTasksWhileAWorkerPolls() throws Exception {
        startWorkers(2);
        onLoop(loop -> {
                    begin();
                    awaitUntil(() -> loop.polls.get() == 1);
                    CountDownLatch ran = new CountDownLatch(100);
                    for (int i = 0; i < 100; i++) {
                        pool.execute(ran::countDown);
                    }
                    assertTrue(ran.await(30, TimeUnit.SECONDS));
                    endTakenOver();
                    assertTrue(loop.role.claim());
                })
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void renewsTheThreadsOfLoops() throws Exception {
        startWorkers(1);
        onLoop(loop -> {
                    begin();
                    pool.endInline(loop.role);
                    pool.renew();
                    assertTrue(loop.role.isChangeDue());
                })
                .get(30, TimeUnit.SECONDS);
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitUntil(BooleanSupplier condition) {
        awaitUntil(condition, 100_000);
    }

    private static void awaitUntil(BooleanSupplier condition, long pause) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, "waited for 20 s");
            LockSupport.parkNanos(pause);
        }
    }
}
