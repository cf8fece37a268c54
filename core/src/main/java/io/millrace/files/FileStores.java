package io.millrace.files;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes local file systems, which have the attributes of an open file in memory, from those that may query a server
 * or another process: NFS, SMB, FUSE, and all unknown ones. Thread-safe; blocks.
 */
final class FileStores {

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
