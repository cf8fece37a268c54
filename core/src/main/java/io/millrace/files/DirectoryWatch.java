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
 * Notifies listeners of changes in directories, on one thread for the whole process, which runs while there are listeners.
 * Notification is not reliable: queues overflow, systems limit the number of watches, and symbolic links in a path may change;
 * listeners must also poll. Thread-safe.
 */
final class DirectoryWatch {

    static final DirectoryWatch SHARED = new DirectoryWatch(Thread::start);

    private static final Logger LOG = Logger.getLogger(DirectoryWatch.class);

    /** The maximum number of directories. Systems limit a user to some thousands. */
    private static final int MOST = 2_000;

    /** Coalesces events, so that a file that is written continuously does not keep the thread busy. */
    private static final long PAUSE_MILLIS = 20;

    /** Is notified of changes. */
    interface Listener {

        /**
         * An entry of a directory has changed; any of them if the name is null. Called on the watch thread, which must not
         * block.
         *
         * @param gone whether the file was deleted or replaced by another one
         */
        void changed(Path directory, @Nullable Path name, boolean gone);
    }

    private record Watched(WatchKey key, Set<Listener> listeners) {}

    private final Consumer<Thread> starter;

    // guarded by this
    private final Map<Path, Watched> directories = new HashMap<>();
    private @Nullable WatchService service;

    /** @param starter for tests in which the thread fails to start */
    DirectoryWatch(Consumer<Thread> starter) {
        this.starter = starter;
    }

    /** Watches a directory, if the system supports that. */
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
                    | OutOfMemoryError impossible) { // an Error if the system cannot start a thread
                LOG.debugf(impossible, "Cannot watch %s for changes", directory);
                closeIfIdle();
            }
        }
    }

    private WatchKey register(Path directory) throws IOException {
        WatchService current = service;
        if (current == null) {
            current = open(directory);
            service = current;
        }
        return directory.register(
                current,
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

    /** Inherits no thread locals or class loader of the first caller: the thread may outlive that application. */
    private void start(Runnable task) {
        Thread thread = new Thread(null, task, "millrace-file-watch", 0, false);
        thread.setContextClassLoader(DirectoryWatch.class.getClassLoader());
        thread.setDaemon(true);
        starter.accept(thread);
    }

    /** Removes a listener from all directories. */
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
        WatchService current = service;
        if (current != null && directories.isEmpty()) {
            service = null;
            close(current);
        }
    }

    private static void close(WatchService service) {
        try {
            service.close();
        } catch (IOException e) {
            LOG.debug("Cannot close a watch service", e);
        }
    }

    private void watch(WatchService current) {
        try {
            while (true) {
                for (WatchKey key = current.take(); key != null; key = current.poll()) {
                    process(key);
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (ClosedWatchServiceException | InterruptedException ended) {
            LOG.debug("Stopped watching files");
        } finally {
            abandon(current);
        }
    }

    /** The service has no reader any more: later listeners get a new one. */
    private synchronized void abandon(WatchService ended) {
        if (ended.equals(service)) {
            directories.clear();
            closeIfIdle();
        }
    }

    /** A failure must not end the thread. */
    private void process(WatchKey key) {
        try {
            notifyListeners(key);
        } catch (Throwable failure) {
            report(key, failure);
        }
    }

    private static void report(WatchKey key, Throwable failure) {
        try {
            key.reset();
            LOG.debugf(failure, "Cannot notify listeners of a change in %s", key.watchable());
        } catch (Throwable again) {
            // probably out of memory; listeners also poll
        }
    }

    private void notifyListeners(WatchKey key) {
        Path directory = (Path) key.watchable();
        List<WatchEvent<?>> events = key.pollEvents();
        boolean valid = key.reset();
        for (Listener listener : listeners(directory, key, valid)) {
            if (!valid) {
                listener.changed(directory, null, true);
            }
            for (WatchEvent<?> event : events) {
                boolean gone = !event.kind().equals(StandardWatchEventKinds.ENTRY_MODIFY)
                        && !event.kind().equals(StandardWatchEventKinds.OVERFLOW);
                listener.changed(directory, event.context() instanceof Path name ? name : null, gone);
            }
        }
    }

    /** The listeners of a directory. If it was deleted they are removed: its key reports no more events, even if it is created again. */
    private synchronized List<Listener> listeners(Path directory, WatchKey key, boolean valid) {
        Watched watched = directories.get(directory);
        if (watched == null || !watched.key().equals(key)) {
            return List.of();
        }
        if (!valid) {
            directories.remove(directory);
        }
        return List.copyOf(watched.listeners());
    }
}
