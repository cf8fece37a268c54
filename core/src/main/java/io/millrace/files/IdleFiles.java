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
 * Has caches close the open files that nobody asks for any more, once a second, by one thread for the whole process, which
 * is there while any file is open. Any thread.
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
            // with nothing of whoever happens to be the first: the thread may outlive his application
            Thread made = new Thread(null, this::run, "millrace-idle-files", 0, false);
            made.setContextClassLoader(IdleFiles.class.getClassLoader());
            made.setDaemon(true);
            try {
                made.start();
                thread = made;
            } catch (OutOfMemoryError none) { // the system lets no thread start: the next file that is kept tries again
                LOG.debug("Idle files are not closed for now", none);
            }
        }
    }

    private void run() {
        List<FileCache> round = List.of();
        do {
            Thread.interrupted(); // else it would not rest
            LockSupport.parkNanos(PERIOD_NANOS);
            round = next();
            round.forEach(this::closeIdle);
        } while (!round.isEmpty());
    }

    /** Those that have files open then are added again. None: the thread ends. */
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
            LOG.debug("Can't close idle files", failure);
        } finally {
            if (again) {
                add(cache);
            }
        }
    }
}
