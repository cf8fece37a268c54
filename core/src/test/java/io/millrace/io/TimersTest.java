package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TimersTest {

    private final Timers timers = new Timers("timers-under-test");

    @AfterEach
    void close() {
        timers.close();
    }

    @Test
    void runsATaskOnceNotBeforeItsTime() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        long start = System.nanoTime();
        timers.schedule(ran::countDown, Duration.ofMillis(30));
        assertTrue(ran.await(20, TimeUnit.SECONDS));
        assertTrue(System.nanoTime() - start >= Duration.ofMillis(30).toNanos());
    }

    @Test
    void runsATaskAtOnceWhenItsClockIsTurned() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        CountDownLatch later = new CountDownLatch(1);
        timers.schedule(ran::countDown, Duration.ofHours(1));
        timers.schedule(later::countDown, Duration.ofHours(3));
        long before = System.currentTimeMillis();
        timers.advance(Duration.ofHours(2));
        assertTrue(ran.await(20, TimeUnit.SECONDS));
        assertEquals(1, later.getCount());
        assertTrue(timers.currentTimeMillis() - before >= Duration.ofHours(2).toMillis());
    }

    @Test
    void runsOnAThreadThatIsLentUntilTheyAreClosed() throws Exception {
        CountDownLatch own = new CountDownLatch(1);
        timers.schedule(own::countDown, Duration.ZERO);
        assertTrue(own.await(20, TimeUnit.SECONDS));
        Thread lent = new Thread(timers::serve);
        lent.start();
        await(() -> threadOfATask().equals(lent));
        assertEquals(lent, threadOfATask(), "and no other from then on");
        timers.close();
        lent.join(20_000);
        assertFalse(lent.isAlive());
    }

    private Thread threadOfATask() {
        CompletableFuture<Thread> ranOn = new CompletableFuture<>();
        timers.schedule(() -> ranOn.complete(Thread.currentThread()), Duration.ZERO);
        return ranOn.orTimeout(20, TimeUnit.SECONDS).join();
    }

    @Test
    void runsWhatIsDueEarlierFirst() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        CountDownLatch early = new CountDownLatch(1);
        timers.schedule(late::countDown, Duration.ofMinutes(5));
        timers.schedule(early::countDown, Duration.ofMillis(5));
        assertTrue(early.await(20, TimeUnit.SECONDS));
        assertEquals(1, late.getCount());
    }

    @Test
    void doesNotRunWhatWasCancelled() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        CountDownLatch after = new CountDownLatch(1);
        CountDownLatch goOn = occupied();
        Timers.Timer timer = timers.schedule(cancelled::countDown, Duration.ofMillis(1));
        timers.schedule(after::countDown, Duration.ofMillis(2));
        timer.cancel();
        timer.cancel();
        goOn.countDown();
        assertTrue(after.await(20, TimeUnit.SECONDS));
        assertEquals(1, cancelled.getCount());
    }

    /** Keeps the thread busy until the latch is counted down: tasks that become due meanwhile must wait. */
    private CountDownLatch occupied() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        timers.schedule(
                () -> {
                    begun.countDown();
                    await(() -> goOn.getCount() == 0);
                },
                Duration.ZERO);
        assertTrue(begun.await(20, TimeUnit.SECONDS));
        return goOn;
    }

    @Test
    void goesOnAfterATaskThatFails() throws Exception {
        failThenRun();
    }

    private void failThenRun() throws Exception {
        CountDownLatch after = new CountDownLatch(1);
        timers.schedule(
                () -> {
                    throw new IllegalStateException("planted by the test");
                },
                Duration.ZERO);
        timers.schedule(after::countDown, Duration.ofMillis(1));
        assertTrue(after.await(20, TimeUnit.SECONDS));
    }

    @Test
    void runsNothingOnceClosed() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        CountDownLatch goOn = occupied();
        timers.schedule(ran::countDown, Duration.ZERO);
        timers.close();
        timers.schedule(ran::countDown, Duration.ZERO);
        goOn.countDown();
        assertFalse(ran.await(50, TimeUnit.MILLISECONDS));
    }

    @Test
    void keepsItsHeapInOrderThroughAddsAndCancels() {
        Timers.TimerHeap heap = new Timers.TimerHeap();
        List<Timers.OneTimer> inside = new ArrayList<>();
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(5) < 3 || inside.isEmpty()) {
                Timers.OneTimer timer = new Timers.OneTimer(timers, () -> {}, random.nextInt(1_000));
                heap.add(timer);
                inside.add(timer);
            } else {
                Timers.OneTimer timer = inside.remove(random.nextInt(inside.size()));
                heap.remove(timer);
                heap.remove(timer);
                assertEquals(-1, timer.index);
            }
        }
        inside.sort(Comparator.comparingLong(timer -> timer.deadline));
        for (Timers.OneTimer expected : inside) {
            Timers.OneTimer first = heap.first();
            assertNotNull(first);
            assertEquals(expected.deadline, first.deadline);
            heap.remove(first);
        }
        assertNull(heap.first());
    }

    /** The clock may have any value, and overflow between now and a deadline. */
    @Test
    void keepsItsHeapInOrderWhateverTheClockShowsAndHoweverFarADeadlineIs() {
        Random random = new Random(11);
        for (int round = 0; round < 2_000; round++) {
            long now = round % 3 == 0 ? Long.MAX_VALUE - random.nextInt(100) : random.nextLong();
            Timers.TimerHeap heap = new Timers.TimerHeap();
            List<Timers.OneTimer> inside = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                long delay = Delays.bounded(random.nextBoolean() ? random.nextLong() : random.nextInt(1_000));
                long overdue = random.nextInt(1_000); // the timer was scheduled some time ago
                Timers.OneTimer timer = new Timers.OneTimer(timers, () -> {}, now + delay - overdue);
                heap.add(timer);
                inside.add(timer);
            }
            inside.sort(Comparator.comparingLong(timer -> timer.deadline - now));
            for (Timers.OneTimer expected : inside) {
                Timers.OneTimer first = heap.first();
                assertNotNull(first);
                assertEquals(expected.deadline, first.deadline);
                heap.remove(first);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                Long.MAX_VALUE,
                Long.MAX_VALUE - 1,
                Long.MAX_VALUE / 2,
                Long.MAX_VALUE / 1_000,
                Long.MAX_VALUE / 1_000_000,
                Integer.MAX_VALUE
            })
    void neverRunsWhatIsForever(long millis) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch soon = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            timers.schedule(never::countDown, Duration.ofMillis(millis));
            timers.scheduleNanos(never::countDown, Delays.nanosOfMillis(millis));
            timers.schedule(soon::countDown, Duration.ofNanos(i * 1_000L));
        }
        timers.schedule(never::countDown, Duration.ofSeconds(Long.MAX_VALUE));
        assertTrue(soon.await(20, TimeUnit.SECONDS), "what comes before that runs");
        assertEquals(1, never.getCount());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE / 1_000, Long.MIN_VALUE})
    void runsAtOnceWhatWasDueBefore(long millis) throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        timers.schedule(ran::countDown, Duration.ofMillis(millis));
        assertTrue(ran.await(20, TimeUnit.SECONDS));
    }

    @Test
    void runsEachTimerOnceOrCancelsItWhileManyThreadsSetAndCancel() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        AtomicInteger wrong = new AtomicInteger();
        CountDownLatch over = new CountDownLatch(3);
        for (int n = 0; n < 3; n++) {
            Random random = new Random(n);
            new Thread(() -> {
                        while (System.nanoTime() - end < 0) {
                            setAndCancelSome(random, wrong);
                        }
                        over.countDown();
                    })
                    .start();
        }
        assertTrue(over.await(30, TimeUnit.SECONDS));
        assertEquals(0, wrong.get());
    }

    private void setAndCancelSome(Random random, AtomicInteger wrong) {
        int count = 50;
        CountDownLatch due = new CountDownLatch(count);
        List<Timers.Timer> cancelled = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            AtomicInteger runs = new AtomicInteger();
            timers.scheduleNanos(
                    () -> {
                        if (runs.incrementAndGet() > 1) {
                            wrong.incrementAndGet();
                        }
                        due.countDown();
                    },
                    random.nextInt(200_000));
            cancelled.add(timers.scheduleNanos(wrong::incrementAndGet, TimeUnit.HOURS.toNanos(1 + random.nextInt(9))));
        }
        cancelled.forEach(Timers.Timer::cancel);
        try {
            assertTrue(due.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException | AssertionError late) {
            wrong.incrementAndGet();
        }
    }

    @Test
    void goesOnAfterAThreadThatCouldNotBeStarted() throws Exception {
        AtomicInteger failures = new AtomicInteger(3);
        AtomicInteger ran = new AtomicInteger();
        try (Timers faulty = new Timers("faulty-timers", thread -> {
            if (failures.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread, says the test");
            }
            thread.start();
        })) {
            for (int i = 0; i < 3; i++) {
                assertThrows(OutOfMemoryError.class, () -> faulty.schedule(ran::incrementAndGet, Duration.ofMillis(1)));
            }
            CountDownLatch after = new CountDownLatch(1);
            faulty.schedule(after::countDown, Duration.ofMillis(2));
            assertTrue(after.await(20, TimeUnit.SECONDS));
            assertEquals(0, ran.get(), "what could not be scheduled");
        }
    }

    @Test
    void goesOnWhereAFailureCannotBeLogged() throws Exception {
        Logger log = Logger.getLogger("io.millrace.io");
        Handler broken = new Handler() {
            @Override
            public void publish(LogRecord line) {
                throw new OutOfMemoryError("planted by the test");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        log.addHandler(broken);
        try {
            failThenRun();
        } finally {
            log.removeHandler(broken);
        }
    }

    @Test
    void keepsNothingOfATaskThatHasRun() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        WeakReference<Runnable> task = scheduled(ran, Duration.ZERO);
        assertTrue(ran.await(20, TimeUnit.SECONDS));
        await(() -> isCollected(task));
    }

    @Test
    void keepsNothingOfACancelledTaskThatItsThreadWasWaitingFor() throws Exception {
        WeakReference<Runnable> task = scheduledAndCancelled();
        await(() -> isCollected(task));
    }

    /** Separate methods, so that no stack frame keeps the task reachable. */
    private WeakReference<Runnable> scheduledAndCancelled() {
        Runnable task = new CountDownLatch(1)::countDown;
        Timers.Timer timer = timers.schedule(task, Duration.ofHours(1));
        await(() -> Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("timers-under-test")
                        && thread.getState() == Thread.State.TIMED_WAITING));
        timer.cancel();
        return new WeakReference<>(task);
    }

    private WeakReference<Runnable> scheduled(CountDownLatch latch, Duration delay) {
        Runnable task = latch::countDown;
        timers.schedule(task, delay);
        return new WeakReference<>(task);
    }

    private static boolean isCollected(WeakReference<?> reference) {
        System.gc();
        return reference.get() == null;
    }

    private static void await(BooleanSupplier happened) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!happened.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, "it did not happen in time");
        }
    }
}
