package io.millrace.servlet.session.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets one thread at a time change the files of a directory, among all processes of this machine. A file lock belongs to
 * the process as a whole, so its threads keep each other out first.
 */
final class DirectoryLock {

    private static final Map<Path, Object> MONITORS = new ConcurrentHashMap<>();

    private final Path file;
    private final Object monitor;

    /** The directory is there. */
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

    /** What is done. */
    interface Action<T> {
        T run() throws IOException;
    }
}
