package io.millrace.files;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tells of changes in directories as soon as the system does, by one thread for the whole process, which is there while
 * anybody watches. It is a help and no more: queues overflow, systems have limits, and links on the way to a file may be
 * changed; so whoever watches looks for himself now and then as well. Any thread.
 */
final class DirectoryWatch {

    static final DirectoryWatch SHARED = new DirectoryWatch(Thread::start);

    private static final Logger LOG = Logger.getLogger(DirectoryWatch.class);

    /** Systems allow a user some thousands. */
    private static final int MOST = 2_000;

    /** What comes within it comes together: a file that is written to all the time must not keep the thread busy. */
    private static final long PAUSE_MILLIS = 20;

    /** Whom to tell. */
    interface Listener {

        /**
         * Something has become of a name in a directory; of any of them if the name is null. By the watching thread, which
         * must not wait.
         *
         * @param gone the file that had the name has it no more: it was deleted, or another took its place
         */
        void changed(Path directory, @Nullable Path name, boolean gone);
    }

    private record Watched(WatchKey key, Set<Listener> listeners) {}

    private final Consumer<Thread> starter;

    // guarded by this
    private final Map<Path, Watched> directories = new HashMap<>();
    private @Nullable WatchService service;

    /** The tests let the thread fail to start. */
    DirectoryWatch(Consumer<Thread> starter) {
        this.starter = starter;
    }

    /** Watches a directory, if that can be done. What can't be watched is polled. */
    synchronized void add(Path directory, Listener listener) {
        Watched known = directories.get(directory);
        if (known != null) {
            known.listeners().add(listener);
        } else if (directories.size() < MOST) {
            try {
                directories.put(directory, new Watched(register(directory), new HashSet<>(Set.of(listener))));
            } catch (IOException
                    | UnsupportedOperationException
                    | ProviderMismatchException
                    | OutOfMemoryError impossible) { // an Error where the system lets no thread start
                LOG.debugf(impossible, "%s can't be watched for changes", directory);
                closeIfIdle();
            }
        }
    }

    private WatchKey register(Path directory) throws IOException {
        WatchService mine = service;
        if (mine == null) {
            mine = open(directory);
            service = mine;
        }
        return directory.register(
                mine,
                StandardWatchEventKinds.ENTRY_CREATE,
                StandardWatchEventKinds.ENTRY_DELETE,
                StandardWatchEventKinds.ENTRY_MODIFY);
    }

    private WatchService open(Path directory) throws IOException {
        WatchService opened = directory.getFileSystem().newWatchService();
        try {
            start(() -> watch(opened));
            return opened;
        } catch (Throwable failed) {
            close(opened);
            throw failed;
        }
    }

    /** With nothing of whoever happens to be the first: the thread may outlive his application. */
    private void start(Runnable task) {
        Thread thread = new Thread(null, task, "millrace-file-watch", 0, false);
        thread.setContextClassLoader(DirectoryWatch.class.getClassLoader());
        thread.setDaemon(true);
        starter.accept(thread);
    }

    /** Tells it nothing any more. */
    synchronized void remove(Listener listener) {
        directories.values().removeIf(watched -> {
            boolean idle =
                    watched.listeners().remove(listener) && watched.listeners().isEmpty();
            if (idle) {
                watched.key().cancel();
            }
            return idle;
        });
        closeIfIdle();
    }

    private void closeIfIdle() {
        WatchService mine = service;
        if (mine != null && directories.isEmpty()) {
            service = null;
            close(mine);
        }
    }

    private static void close(WatchService service) {
        try {
            service.close();
        } catch (IOException e) {
            LOG.debug("Can't end the watch for changes of files", e);
        }
    }

    private void watch(WatchService mine) {
        try {
            while (true) {
                for (WatchKey key = mine.take(); key != null; key = mine.poll()) {
                    tell(key);
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (ClosedWatchServiceException | InterruptedException ended) {
            LOG.debug("No files are watched any more");
        } finally {
            abandon(mine);
        }
    }

    /** Nobody reads what this service tells: who watches from now on begins with another. */
    private synchronized void abandon(WatchService ended) {
        if (ended.equals(service)) {
            directories.clear();
            closeIfIdle();
        }
    }

    /** One listener that fails must not cost the others what they wait for. */
    private void tell(WatchKey key) {
        try {
            tellListeners(key);
        } catch (Throwable failure) {
            report(key, failure);
        }
    }

    private static void report(WatchKey key, Throwable failure) {
        try {
            key.reset();
            LOG.debugf(failure, "A change in %s was not told", key.watchable());
        } catch (Throwable again) {
            // Out of memory, most likely. Who watches looks for himself now and then.
        }
    }

    private void tellListeners(WatchKey key) {
        Path directory = (Path) key.watchable();
        List<WatchEvent<?>> events = key.pollEvents();
        boolean there = key.reset();
        for (Listener listener : listeners(directory, key, there)) {
            if (!there) {
                listener.changed(directory, null, true);
            }
            for (WatchEvent<?> event : events) {
                boolean gone = !event.kind().equals(StandardWatchEventKinds.ENTRY_MODIFY)
                        && !event.kind().equals(StandardWatchEventKinds.OVERFLOW);
                listener.changed(directory, event.context() instanceof Path name ? name : null, gone);
            }
        }
    }

    /** There are no more events of a directory that is gone, even if another takes its place. */
    private synchronized List<Listener> listeners(Path directory, WatchKey key, boolean there) {
        Watched watched = directories.get(directory);
        if (watched == null || !watched.key().equals(key)) {
            return List.of();
        }
        if (!there) {
            directories.remove(directory);
        }
        return List.copyOf(watched.listeners());
    }
}
