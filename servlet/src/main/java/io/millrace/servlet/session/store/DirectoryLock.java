package io.millrace.servlet.session.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lock on the files of a directory, among all threads and processes of the host. A file lock belongs to the whole process, so
 * its threads exclude each other by a monitor first.
 */
final class DirectoryLock {

    private static final Map<Path, Object> MONITORS = new ConcurrentHashMap<>();

    private final Path file;
    private final Object monitor;

    /** Creates the lock of an existing directory. */
    DirectoryLock(Path directory) throws IOException {
        Path real = directory.toRealPath();
        file = real.resolve(".lock");
        monitor = MONITORS.computeIfAbsent(real, path -> new Object());
    }

    /** Runs an action under the lock. */
    <T> T with(Action<T> action) throws IOException {
        synchronized (monitor) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                assert lock.isValid();
                return action.run();
            }
        }
    }

    /** An action under the lock. */
    interface Action<T> {
        T run() throws IOException;
    }
}
