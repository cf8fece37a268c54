package io.millrace.tls.material;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Timers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The watch for changed certificates … */
class FileWatchTest {

    @Test
    void looksAgainAfterALookThatNobodyCouldTake() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        CountDownLatch looks = new CountDownLatch(3);
        Executor workers = look -> {
            switch (tries.getAndIncrement()) {
                case 0 -> throw new OutOfMemoryError("unable to create native thread, says the test");
                case 1 -> throw new RejectedExecutionException("all at work");
                default -> {
                    look.run();
                    looks.countDown();
                }
            }
        };
        try (Timers timers = new Timers("timers-under-test");
                FileWatch watch = new FileWatch(List.of(), timers, workers, Duration.ofMillis(1))) {
            watch.begin();
            assertTrue(looks.await(30, TimeUnit.SECONDS));
        }
    }
}
