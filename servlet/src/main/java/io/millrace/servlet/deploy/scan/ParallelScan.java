package io.millrace.servlet.deploy.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Scans JARs on all processors if there are enough JARs; the threads end with the scan. */
final class ParallelScan {

    /** Below this number of JARs, starting threads costs more than it saves. */
    private static final int WORTH_IT = 8;

    /** Scans one place. Thread-safe. */
    interface Scan {
        ScannedPlace scan(ClassSource place) throws IOException;
    }

    private ParallelScan() {}

    /** Returns the results in the order of the places. */
    static List<ScannedPlace> scan(List<ClassSource> places, Scan scan) throws IOException {
        int threads = Math.min(Runtime.getRuntime().availableProcessors(), places.size() / WORTH_IT + 1);
        if (threads <= 1) {
            List<ScannedPlace> scanned = new ArrayList<>();
            for (ClassSource place : places) {
                scanned.add(scan.scan(place));
            }
            return scanned;
        }
        ExecutorService executor = Executors.newFixedThreadPool(threads, ParallelScan::thread);
        try {
            List<Callable<ScannedPlace>> tasks = new ArrayList<>();
            for (ClassSource place : places) {
                tasks.add(() -> scan.scan(place));
            }
            return results(executor.invokeAll(tasks));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while scanning classes", e);
        } finally {
            executor.shutdownNow();
        }
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "millrace-scan");
        thread.setDaemon(true);
        return thread;
    }

    private static List<ScannedPlace> results(List<Future<ScannedPlace>> futures)
            throws IOException, InterruptedException {
        List<ScannedPlace> scanned = new ArrayList<>();
        for (Future<ScannedPlace> future : futures) {
            try {
                scanned.add(future.get());
            } catch (ExecutionException e) {
                throw new IOException("scanning classes failed: " + e.getCause(), e);
            }
        }
        return scanned;
    }
}
