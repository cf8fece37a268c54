package io.millrace.files;

import io.millrace.io.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * An open file, which the kernel sends. A change in place affects transfers in progress, and is detected before their last
 * bytes are sent. Replacing or deleting the file is harmless: the open file is sent completely.
 */
final class OpenFile extends Content {

    private static final Logger LOG = Logger.getLogger(OpenFile.class);

    private final Path path;
    private final FileStamp stamp;
    private final FileChannel channel;
    private final boolean mayStall;

    /** When the last response with it began; {@link System#nanoTime}. */
    private volatile long usedAt = System.nanoTime();

    private OpenFile(Path path, FileStamp stamp, FileChannel channel, boolean mayStall) {
        this.path = path;
        this.stamp = stamp;
        this.channel = channel;
        this.mayStall = mayStall;
    }

    /** Opens a file; null if it has changed since it was looked up. */
    static @Nullable OpenFile open(Path path, FileStamp stamp) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        OpenFile opened = null;
        try {
            if (stamp.equals(FileStamp.of(path)) && channel.size() == stamp.size()) {
                opened = new OpenFile(path, stamp, channel, !FileStores.isLocal(path));
            }
            return opened;
        } finally {
            if (opened == null) {
                channel.close();
            }
        }
    }

    /** Whether operations on its file system may block for long, so that a connection's thread must not call them. */
    boolean mayStall() {
        return mayStall;
    }

    /** A response with it begins. */
    void used() {
        usedAt = System.nanoTime();
    }

    long usedAt() {
        return usedAt;
    }

    /**
     * Reads until the buffer is full. Blocks.
     *
     * @throws IOException if the file is shorter
     */
    void read(ByteBuffer into, long from) throws IOException {
        for (long at = from; into.hasRemaining(); ) {
            int read = channel.read(into, at);
            if (read < 0) {
                throw new EOFException(
                        path + " was truncated while it was being sent; the response cannot be completed");
            }
            at += read;
        }
    }

    @Override
    Payload payload(ByteRange range) {
        return new Payload.FileRegion(channel, range.from(), range.length());
    }

    @Override
    void check() throws IOException {
        FileStamp now = FileStamp.of(path);
        boolean same = stamp.equals(now);
        boolean another = now == null || stamp.key() != null && !stamp.key().equals(now.key());
        if (!same && !(another && channel.size() == stamp.size())) {
            throw new IOException(path + " was changed while it was being sent; the response cannot be completed");
        }
    }

    @Override
    boolean mayChange() {
        return true;
    }

    @Override
    @Nullable
    OpenFile stalling() {
        return mayStall ? this : null;
    }

    /**
     * False if it was changed or replaced, or closed because a thread was interrupted while reading it. Must be called before a
     * transfer, which an earlier change would cut short.
     */
    boolean isCurrent() {
        return channel.isOpen() && stamp.equals(FileStamp.of(path));
    }

    @Override
    void free() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("Cannot close a file", e);
        }
    }

    /**
     * Distinguishes local file systems, which have the attributes of an open file in memory, from those that may query a server
     * or another process: NFS, SMB, FUSE, and all unknown ones. Thread-safe; blocks.
     */
    private static final class FileStores {

        private static final Set<String> LOCAL = Set.of(
                "ext2",
                "ext3",
                "ext4",
                "xfs",
                "btrfs",
                "f2fs",
                "jfs",
                "zfs",
                "tmpfs",
                "ramfs",
                "overlay",
                "squashfs",
                "erofs",
                "iso9660",
                "vfat",
                "msdos",
                "exfat",
                "apfs",
                "hfs",
                "ufs",
                "ntfs",
                "refs",
                "fat32");

        /** The lifetime of a cached result: another file system may get the same device number later. */
        private static final long CACHED_NANOS = TimeUnit.MINUTES.toNanos(1);

        private record Known(boolean local, long at) {}

        private static final ConcurrentHashMap<Object, Known> BY_DEVICE = new ConcurrentHashMap<>();

        private FileStores() {}

        /** False if reading the attributes of an open file may block. */
        static boolean isLocal(Path file) throws IOException {
            if (!file.getFileSystem().equals(FileSystems.getDefault())) {
                return false;
            }
            Object device = device(file);
            Known known = device == null ? null : BY_DEVICE.get(device);
            if (known != null && System.nanoTime() - known.at < CACHED_NANOS) {
                return known.local;
            }
            boolean local = LOCAL.contains(Files.getFileStore(file).type().toLowerCase(Locale.ROOT));
            if (device != null) {
                BY_DEVICE.put(device, new Known(local, System.nanoTime()));
            }
            return local;
        }

        /** The device number; null if the file system does not provide it. */
        private static @Nullable Object device(Path file) throws IOException {
            return file.getFileSystem().supportedFileAttributeViews().contains("unix")
                    ? Files.getAttribute(file, "unix:dev", LinkOption.NOFOLLOW_LINKS)
                    : null;
        }
    }
}
