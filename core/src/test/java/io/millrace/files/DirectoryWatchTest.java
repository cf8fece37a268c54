package io.millrace.files;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The watch for changes of files … */
class DirectoryWatchTest {

    @TempDir
    Path directory = Path.of("");

    @Test
    void watchesWhatComesAfterAThreadThatCouldNotBeStarted() throws Exception {
        AtomicInteger failures = new AtomicInteger(2);
        DirectoryWatch watch = new DirectoryWatch(thread -> {
            if (failures.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread, says the test");
            }
            thread.start();
        });
        CountDownLatch told = new CountDownLatch(1);
        DirectoryWatch.Listener listener = (where, name, gone) -> told.countDown();
        watch.add(directory, listener);
        watch.add(directory, listener);
        watch.add(directory, listener);
        changeUntil(told);
        watch.remove(listener);
    }

    @Test
    void tellsOthersAfterAListenerThatFails() throws Exception {
        DirectoryWatch watch = new DirectoryWatch(Thread::start);
        CountDownLatch failed = new CountDownLatch(3);
        DirectoryWatch.Listener failing = (where, name, gone) -> {
            failed.countDown();
            throw new NoClassDefFoundError("planted");
        };
        Path other = Files.createDirectory(directory.resolve("other"));
        CountDownLatch told = new CountDownLatch(1);
        DirectoryWatch.Listener listener = (where, name, gone) -> told.countDown();
        watch.add(directory, failing);
        changeUntil(failed);
        watch.add(other, listener);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (told.getCount() > 0 && System.nanoTime() - end < 0) {
            Files.writeString(other.resolve("file"), "x");
            LockSupport.parkNanos(10_000_000);
        }
        assertTrue(told.await(0, TimeUnit.SECONDS), "the second listener was not told");
        watch.remove(failing);
        watch.remove(listener);
    }

    private void changeUntil(CountDownLatch told) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (told.getCount() > 0) {
            Files.writeString(directory.resolve("file"), "x");
            LockSupport.parkNanos(10_000_000);
            assertTrue(System.nanoTime() - end < 0, "nothing was told");
        }
    }
}
