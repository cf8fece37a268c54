package io.millrace.servlet.deploy.scan;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
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
}
