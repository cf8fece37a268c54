package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Timers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A task that runs again and again … */
class PeriodicTaskTest {

    @Test
    void runsAgainAfterThreadsThatCouldNotBeStartedWhichAreReportedOnceAndRunsThatFailed() throws Exception {
        AtomicInteger failures = new AtomicInteger(3);
        ThreadFactory threads = run -> {
            if (failures.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread, says the test");
            }
            Thread thread = new Thread(run);
            thread.setUncaughtExceptionHandler((failed, planted) -> {});
            return thread;
        };
        CountDownLatch runs = new CountDownLatch(4);
        Runnable failing = () -> {
            runs.countDown();
            throw new NoClassDefFoundError("planted");
        };
        List<String> reports = new CopyOnWriteArrayList<>();
        try (Timers timers = new Timers("timers-under-test")) {
            PeriodicTask task = new PeriodicTask(failing, Duration.ofMillis(1), timers, threads, reports::add);
            task.begin();
            assertTrue(runs.await(30, TimeUnit.SECONDS));
            task.stop();
        }
        assertEquals(List.of("unable to create native thread, says the test"), reports);
    }
}
