package io.millrace.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.io.VirtualThreads;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class VirtualWorkersTest {

    @Test
    void runsEveryTaskAtOnceHoweverManyWait() throws Exception {
        assumeTrue(VirtualThreads.areAvailable());
        CountDownLatch all = new CountDownLatch(1000);
        try (VirtualWorkers workers = new VirtualWorkers("many")) {
            for (int i = 0; i < 1000; i++) {
                workers.execute(() -> {
                    all.countDown();
                    await(all);
                });
            }
            assertTrue(all.await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void knowsItsOwnThreadsOnly() throws Exception {
        assumeTrue(VirtualThreads.areAvailable());
        try (VirtualWorkers mine = new VirtualWorkers("mine");
                VirtualWorkers other = new VirtualWorkers("other")) {
            CompletableFuture<String> seen = new CompletableFuture<>();
            mine.execute(() ->
                    seen.complete(Thread.currentThread().getName() + " " + mine.isWorker() + " " + other.isWorker()));
            assertEquals("mine-1 true false", seen.get(10, TimeUnit.SECONDS));
            assertFalse(mine.isWorker());
        }
    }

    /** An application that submits a task may have set both for its own thread. */
    @Test
    void inheritsNoThreadLocalsAndNoClassLoader() throws Exception {
        assumeTrue(VirtualThreads.areAvailable());
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (VirtualWorkers workers = new VirtualWorkers("clean");
                URLClassLoader foreign = new URLClassLoader(new URL[0])) {
            CompletableFuture<Boolean> seen = new CompletableFuture<>();
            local.set("mine");
            thread.setContextClassLoader(foreign);
            workers.execute(() -> seen.complete(local.get() == null
                    && !foreign.equals(Thread.currentThread().getContextClassLoader())));
            assertTrue(seen.get(20, TimeUnit.SECONDS));
        } finally {
            local.remove();
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void takesNothingOnceClosed() {
        assumeTrue(VirtualThreads.areAvailable());
        VirtualWorkers workers = new VirtualWorkers("closed");
        workers.close();
        assertThrows(RejectedExecutionException.class, () -> workers.execute(() -> {}));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
