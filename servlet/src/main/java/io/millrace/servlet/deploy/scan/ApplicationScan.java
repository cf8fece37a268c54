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
 * Scans an application's classes, but not the jars that an earlier start has scanned for the same, under whatever name.
 * WEB-INF/classes is always scanned: whether it has changed is known only when its files have been read.
 */
public final class ApplicationScan {

    private static final Logger LOG = Logger.getLogger(ApplicationScan.class);

    private final ScanTarget target;
    private final IndexFile file;
    private final Map<JarKey, byte[]> before;
    /** Of this start: to be kept for the next. */
    private final Map<JarKey, byte[]> now = new ConcurrentHashMap<>();

    private final AtomicInteger cached = new AtomicInteger();

    private ApplicationScan(ScanTarget target, Path work) {
        this.target = target;
        this.file = new IndexFile(work, target.text());
        this.before = file.read();
    }

    /**
     * Finds what is looked for.
     *
     * @param work where the application's own files are kept between starts
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
        scan.keep();
        return new Result(found, scan.cached.get());
    }

    /** On several threads. */
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

    /** Unless nothing was scanned and nothing is gone: what was not scanned is the very array that was read. */
    private void keep() {
        if (!now.equals(before)) {
            file.write(now);
        }
    }

    /**
     * What was found.
     *
     * @param places WEB-INF/classes first, then the libraries in order
     * @param cached how many libraries did not have to be scanned
     */
    public record Result(List<ScannedPlace> places, int cached) {}
}
