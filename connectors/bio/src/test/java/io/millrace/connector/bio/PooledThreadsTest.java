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
                    .with(TransportOptions.MAX_THREADS, 1));
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

    @Test
    void leaveTheirPlaceToOthersWhileTheyWaitForTheirPeers() throws Exception {
        PooledThreads threads = new PooledThreads(1, Thread::new);
        CompletableFuture<String> peer = new CompletableFuture<>();
        CompletableFuture<String> ended = new CompletableFuture<>();
        CompletableFuture<String> inLine = new CompletableFuture<>();
        threads.execute(() -> {
            inLine.join();
            threads.beginWait();
            peer.join();
            threads.endWait();
            ended.complete("ended");
        });
        threads.execute(() -> peer.complete("came")); // no other thread could run it
        inLine.complete("in line");
        assertEquals("ended", Deadline.await(ended));
        threads.end(() -> {});
    }
}
