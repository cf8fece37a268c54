package io.millrace.files;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Lets caches close idle files once a second, on one thread for the whole process, which runs while any file is open.
 * Thread-safe.
 */
final class IdleFiles {

    static final IdleFiles SHARED = new IdleFiles();

    private static final Logger LOG = Logger.getLogger(IdleFiles.class);

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    // guarded by this
    private final Set<FileCache> caches = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable Thread thread;

    /** A cache has an open file. */
    synchronized void add(FileCache cache) {
        caches.add(cache);
        if (thread == null) {
            // inherits no thread locals or class loader of the first caller: the thread may outlive that application
            Thread made = new Thread(null, this::run, "millrace-idle-files", 0, false);
            made.setContextClassLoader(IdleFiles.class.getClassLoader());
            made.setDaemon(true);
            try {
                made.start();
                thread = made;
            } catch (OutOfMemoryError none) { // the system cannot start a thread; the next admitted file tries again
                LOG.debug("Cannot start the thread that closes idle files", none);
            }
        }
    }

    private void run() {
        List<FileCache> round = List.of();
        do {
            Thread.interrupted(); // park returns immediately while the flag is set
            LockSupport.parkNanos(PERIOD_NANOS);
            round = next();
            round.forEach(this::closeIdle);
        } while (!round.isEmpty());
    }

    /** Removes and returns all caches; those with open files are added again. If there are none, the thread ends. */
    private synchronized List<FileCache> next() {
        List<FileCache> round = new ArrayList<>(caches);
        caches.clear();
        if (round.isEmpty()) {
            thread = null;
        }
        return round;
    }

    private void closeIdle(FileCache cache) {
        boolean again = true;
        try {
            again = cache.closeIdle();
        } catch (RuntimeException | Error failure) {
            LOG.debug("Cannot close idle files", failure);
        } finally {
            if (again) {
                add(cache);
            }
        }
    }
}
