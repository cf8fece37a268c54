package io.millrace.connector.bio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import io.millrace.testkit.Deadline;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The platform threads of bio … */
class PooledThreadsTest {

    @Test
    void inheritNothingAndAreNotInterrupted() throws Exception {
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (Timers timers = new Timers("timers-under-test");
                URLClassLoader foreign = new URLClassLoader(new URL[0])) {
            PooledThreads threads = new PooledThreads(TransportOptions.defaults("test", new BufferPool(16), timers)
                    .withThreads(1, TransportOptions.Threads.PLATFORM));
            CompletableFuture<String> seen = new CompletableFuture<>();
            local.set("mine");
            thread.setContextClassLoader(foreign);
            threads.execute(() -> Thread.currentThread().interrupt());
            threads.execute(() -> seen.complete(local.get()
                    + " "
                    + foreign.equals(Thread.currentThread().getContextClassLoader())
                    + " "
                    + Thread.currentThread().isInterrupted()));
            assertEquals("null false false", Deadline.await(seen));
            threads.end(() -> {});
        } finally {
            local.remove();
            thread.setContextClassLoader(before);
        }
    }
}
