package io.millrace.servlet.deploy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jboss.jandex.Index;

/** Scans jars on all cores if there are enough of them; the threads end with the scan. */
final class ParallelScan {

    /** Below this many jars, starting threads costs more than they save. */
    private static final int WORTH_IT = 8;

    private ParallelScan() {}

    /** @param all index every class, see {@link ClassScan} */
    static List<Index> scan(List<? extends ClassSource> places, boolean all) throws IOException {
        int threads = Math.min(Runtime.getRuntime().availableProcessors(), places.size() / WORTH_IT + 1);
        if (threads <= 1) {
            List<Index> indexes = new ArrayList<>();
            for (ClassSource place : places) {
                indexes.add(ClassScan.scan(place, all));
            }
            return indexes;
        }
        ExecutorService executor = Executors.newFixedThreadPool(threads, ParallelScan::thread);
        try {
            List<Callable<Index>> tasks = new ArrayList<>();
            for (ClassSource place : places) {
                tasks.add(() -> ClassScan.scan(place, all));
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

    private static List<Index> results(List<Future<Index>> futures) throws IOException, InterruptedException {
        List<Index> indexes = new ArrayList<>();
        for (Future<Index> future : futures) {
            try {
                indexes.add(future.get());
            } catch (ExecutionException e) {
                throw new IOException("scanning classes: " + e.getCause(), e);
            }
        }
        return indexes;
    }
}
