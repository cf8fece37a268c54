package io.millrace.servlet.session.store;

import io.millrace.servlet.log.ServletLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A store with one file for each session in a directory, which several servers on the same host may share. A file is written
 * under another name and then renamed, so that it is complete or absent. Only the server's user may read and write it. Its
 * modification time is the time of the session's last access.
 *
 * <p>A corrupt file is deleted and logged; its session is lost.
 */
public final class FileSessionStore implements SessionStore {

    private static final String SUFFIX = ".session";
    private static final String UNFINISHED = ".unfinished";

    /** The keys that {@link io.millrace.servlet.session} generates; no other key is used as a file name. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{1,128}");

    private final Path directory;
    private final DirectoryLock lock;

    /**
     * Opens the store of a directory.
     *
     * @param directory created if it does not exist, accessible to the server's user only; the permissions of an existing one
     *     are not changed
     * @throws IOException if it cannot be created, or is not a directory
     */
    public FileSessionStore(Path directory) throws IOException {
        this.directory = OwnerOnly.directory(directory);
        this.lock = new DirectoryLock(directory);
    }

    /** The directory of the files. */
    public Path directory() {
        return directory;
    }

    @Override
    public @Nullable SessionRecord read(String key) throws IOException {
        return KEY.matcher(key).matches() ? read(file(key)) : null;
    }

    private @Nullable SessionRecord read(Path file) throws IOException {
        byte[] bytes;
        long used;
        try {
            bytes = Files.readAllBytes(file);
            used = Files.getLastModifiedTime(file).toMillis();
        } catch (NoSuchFileException e) {
            return null;
        }
        try {
            SessionRecord session = SessionRecord.fromBytes(bytes);
            if (!file(session.key()).equals(file)) {
                throw new IOException("the key of the session does not match the file name");
            }
            return session.withLastAccessed(used);
        } catch (IOException damaged) {
            ServletLog.SESSION.sessionFileDamaged(file, String.valueOf(damaged.getMessage()));
            Files.deleteIfExists(file);
            return null;
        }
    }

    @Override
    public @Nullable SessionRecord readIfNewer(SessionRecord known) throws IOException {
        if (!KEY.matcher(known.key()).matches()) {
            return null;
        }
        Path file = file(known.key());
        ByteBuffer header = header(file);
        if (header == null || !SessionRecord.RecordFormat.isVersion(header, known)) {
            return read(file);
        }
        try {
            return known.withLastAccessed(Files.getLastModifiedTime(file).toMillis());
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    @Override
    public boolean write(SessionRecord session) throws IOException {
        if (!KEY.matcher(session.key()).matches()) {
            throw new IOException(
                    "the session's key is not valid as a file name: expected 1 to 128 letters, digits, - and _");
        }
        Path file = file(session.key());
        return lock.with(() -> {
            SessionRecord stored = read(file);
            if ((stored == null ? 0 : stored.version()) != session.version()) {
                return false;
            }
            Path unfinished = directory.resolve(session.key() + UNFINISHED);
            OwnerOnly.write(
                    unfinished, session.withVersion(session.version() + 1).toBytes());
            Files.setLastModifiedTime(unfinished, FileTime.fromMillis(session.lastAccessed()));
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            return true;
        });
    }

    @Override
    public boolean touch(String key, long lastAccessed) throws IOException {
        if (!KEY.matcher(key).matches()) {
            return false;
        }
        Path file = file(key);
        return lock.with(() -> {
            ByteBuffer header = header(file);
            if (header == null || isExpired(file, header, lastAccessed)) {
                return false;
            }
            if (Files.getLastModifiedTime(file).toMillis() < lastAccessed) {
                Files.setLastModifiedTime(file, FileTime.fromMillis(lastAccessed));
            }
            return true;
        });
    }

    @Override
    public boolean remove(String key) throws IOException {
        return KEY.matcher(key).matches() && lock.with(() -> Files.deleteIfExists(file(key)));
    }

    @Override
    public List<SessionRecord> takeExpired(long now, int most) throws IOException {
        List<SessionRecord> taken = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : files) {
                if (taken.size() == most) {
                    break;
                }
                if (isDue(file, now)) {
                    taken.addAll(take(file, now));
                }
            }
        }
        return taken;
    }

    @Override
    public int size() throws IOException {
        return keys(Integer.MAX_VALUE).size();
    }

    @Override
    public List<String> keys(int most) throws IOException {
        List<String> keys = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : files) {
                if (keys.size() == most) {
                    break;
                }
                String name = file.getFileName().toString();
                keys.add(name.substring(0, name.length() - SUFFIX.length()));
            }
        }
        return keys;
    }

    @Override
    public String toString() {
        return "directory " + directory;
    }

    /** A cheap test without the lock, which reads only the beginning of the file. */
    private static boolean isDue(Path file, long now) throws IOException {
        try {
            ByteBuffer header = header(file);
            return header != null && isExpired(file, header, now);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** The beginning of a file, which may be too short; null if there is no file. */
    private static @Nullable ByteBuffer header(Path file) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(SessionRecord.RecordFormat.HEADER);
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            while (header.hasRemaining() && channel.read(header) >= 0) {}
        } catch (NoSuchFileException e) {
            return null;
        }
        return header.flip();
    }

    /** True also for a damaged file, which is then read and deleted. */
    private static boolean isExpired(Path file, ByteBuffer header, long now) throws IOException {
        int maxIdleSeconds = header.limit() < SessionRecord.RecordFormat.HEADER
                ? 0
                : SessionRecord.RecordFormat.maxIdleSeconds(header);
        return header.limit() < SessionRecord.RecordFormat.HEADER
                || maxIdleSeconds > 0 && Files.getLastModifiedTime(file).toMillis() + maxIdleSeconds * 1000L <= now;
    }

    /** Removes and returns the session; empty if it was used or taken since the first test. */
    private List<SessionRecord> take(Path file, long now) throws IOException {
        return lock.with(() -> {
            SessionRecord session = read(file);
            return session != null && session.expires() <= now && Files.deleteIfExists(file)
                    ? List.of(session)
                    : List.of();
        });
    }

    private Path file(String key) {
        return directory.resolve(key + SUFFIX);
    }

    /**
     * A lock on the files of a directory, among all threads and processes of the host. A file lock belongs to the whole process, so
     * its threads exclude each other by a monitor first.
     */
    private static final class DirectoryLock {

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

    /** Creates files that only the server's user may access, where the file system has POSIX permissions: sessions are private. */
    private static final class OwnerOnly {

        private OwnerOnly() {}

        static Path directory(Path directory) throws IOException {
            return Files.isDirectory(directory)
                    ? directory
                    : Files.createDirectories(directory, permissions(directory, "rwx------"));
        }

        static void write(Path file, byte[] bytes) throws IOException {
            // a file left by a crash may have other permissions
            Files.deleteIfExists(file);
            Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            try (SeekableByteChannel channel = Files.newByteChannel(file, options, permissions(file, "rw-------"))) {
                ByteBuffer rest = ByteBuffer.wrap(bytes);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
            }
        }

        private static FileAttribute<?>[] permissions(Path path, String permissions) {
            return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                    }
                    : new FileAttribute<?>[0];
        }
    }
}
