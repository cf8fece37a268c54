package io.millrace.servlet.session.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file for each session in one directory, which several servers on one machine may share. A file is written under another
 * name and then renamed, so that it is whole or not there. It is read and written by the server's user alone. Its time of
 * modification is the time of the session's last use.
 *
 * <p>A damaged file is removed, with one line in the log; its session is gone, the others stay.
 */
public final class FileSessionStore implements SessionStore {

    private static final String SUFFIX = ".session";
    private static final String UNFINISHED = ".unfinished";

    /** What {@link io.millrace.servlet.session} makes, and nothing that could lead out of the directory. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{1,128}");

    private final Path directory;
    private final DirectoryLock lock;

    /**
     * The sessions in a directory, which is made if it is missing.
     *
     * @throws IOException if it can't be made, or something else has its name
     */
    public FileSessionStore(Path directory) throws IOException {
        this.directory = OwnerOnly.directory(directory);
        this.lock = new DirectoryLock(directory);
    }

    /** Where the files are. */
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
                throw new IOException("it is the session of another key");
            }
            return session.withLastAccessed(used);
        } catch (IOException damaged) {
            StoreLog.LOG.damaged(file, String.valueOf(damaged.getMessage()));
            Files.deleteIfExists(file);
            return null;
        }
    }

    @Override
    public boolean write(SessionRecord session) throws IOException {
        if (!KEY.matcher(session.key()).matches()) {
            throw new IOException("a session's key is no name for a file");
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
    public void touch(String key, long lastAccessed) throws IOException {
        if (!KEY.matcher(key).matches()) {
            return;
        }
        Path file = file(key);
        lock.with(() -> {
            if (Files.exists(file) && Files.getLastModifiedTime(file).toMillis() < lastAccessed) {
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
    public boolean isEmpty() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            return !files.iterator().hasNext();
        }
    }

    /** A first look, at the beginning of the file only. */
    private static boolean isDue(Path file, long now) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(2 * Integer.BYTES);
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            while (start.hasRemaining() && channel.read(start) >= 0) {}
            int maxIdleSeconds = start.getInt(Integer.BYTES);
            return start.hasRemaining()
                    || maxIdleSeconds > 0 && Files.getLastModifiedTime(file).toMillis() + maxIdleSeconds * 1000L <= now;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Empty if it was used or taken since the first look. */
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
}
