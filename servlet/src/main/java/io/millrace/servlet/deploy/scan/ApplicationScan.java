package io.millrace.servlet.deploy.scan;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.jandex.Indexer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Scans an application's classes, except for JARs that an earlier start scanned for the same target, under any name.
 * WEB-INF/classes is always scanned, because detecting changes means reading its files.
 */
public final class ApplicationScan {

    private static final Logger LOG = Logger.getLogger(ApplicationScan.class);

    private final ScanTarget target;
    private final IndexFile file;
    private final Map<JarKey, byte[]> before;
    /** The results of this start, cached for the next. */
    private final Map<JarKey, byte[]> now = new ConcurrentHashMap<>();

    private final AtomicInteger cached = new AtomicInteger();

    private ApplicationScan(ScanTarget target, Path work) {
        this.target = target;
        this.file = new IndexFile(work, target.text());
        this.before = file.read();
    }

    /**
     * Scans an application.
     *
     * @param work the application's work directory, which is kept between starts
     */
    public static Result scan(ClassesDirectory classes, List<LibraryJar> libraries, ScanTarget target, Path work)
            throws IOException {
        if (libraries.isEmpty()) {
            return new Result(List.of(ClassScan.scan(classes, target)), 0);
        }
        List<ClassSource> places = new ArrayList<>();
        places.add(classes);
        places.addAll(libraries);
        ApplicationScan scan = new ApplicationScan(target, work);
        List<ScannedPlace> found = ParallelScan.scan(places, scan::place);
        scan.writeCache();
        return new Result(found, scan.cached.get());
    }

    /** Scans one place, or takes its result from the cache. Thread-safe. */
    private ScannedPlace place(ClassSource place) throws IOException {
        JarKey key = place.key();
        ScannedPlace known = key == null ? null : known(key);
        if (known != null) {
            return known;
        }
        ScannedPlace found = ClassScan.scan(place, target);
        if (key != null) {
            now.put(key, PlaceFormat.bytes(found));
        }
        return found;
    }

    private @Nullable ScannedPlace known(JarKey key) {
        byte[] bytes = before.get(key);
        if (bytes == null) {
            return null;
        }
        try {
            ScannedPlace place = PlaceFormat.place(bytes);
            now.put(key, bytes);
            cached.incrementAndGet();
            return place;
        } catch (IOException e) {
            LOG.debugf(e, "the index of a jar cannot be read, so it is scanned");
            return null;
        }
    }

    /** Writes the cache, unless it is unchanged: unscanned JARs have the same array as before. */
    private void writeCache() {
        if (!now.equals(before)) {
            file.write(now);
        }
    }

    /**
     * The result of a scan.
     *
     * @param places WEB-INF/classes first, then the libraries in order
     * @param cached how many libraries were found in the cache
     */
    public record Result(List<ScannedPlace> places, int cached) {}

    /**
     * Scans the classes of one place. Not thread-safe. Only classes that mention a relevant annotation are indexed; of the others the
     * header is read, and only if an initializer handles types. Searching a class's bytes costs a tenth of indexing it, and in most
     * JARs no class is indexed.
     */
    private static final class ClassScan implements ClassSource.Visitor {

        private static final Logger LOG = Logger.getLogger(ApplicationScan.class);

        private final Indexer indexer = new Indexer();
        private final List<ClassHeader> headers = new ArrayList<>();
        private final String source;
        private final ScanTarget target;

        private ClassScan(String source, ScanTarget target) {
            this.source = source;
            this.target = target;
        }

        static ScannedPlace scan(ClassSource place, ScanTarget target) throws IOException {
            ClassScan scan = new ClassScan(place.source(), target);
            place.visit(scan);
            return new ScannedPlace(scan.indexer.complete(), scan.headers);
        }

        @Override
        public void visit(String path, byte[] classFile) {
            try {
                if (target.headers()) {
                    headers.add(ClassHeader.read(classFile));
                }
                if (target.mentions(classFile)) {
                    indexer.index(new ByteArrayInputStream(classFile));
                }
            } catch (IOException | RuntimeException e) {
                // Too new, or obfuscated: loading it may succeed, or is never needed.
                LOG.debugf(e, "%s in %s cannot be read", path, source);
            }
        }
    }

    /** Scans JARs on all processors if there are enough JARs; the threads end with the scan. */
    private static final class ParallelScan {

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
}
