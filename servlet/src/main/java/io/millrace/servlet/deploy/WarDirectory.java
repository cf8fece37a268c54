package io.millrace.servlet.deploy;

import io.millrace.servlet.model.DeploymentException;
import io.millrace.text.Printable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The unpacked files of a WAR in a work directory, kept up to date with it. Every WAR is unpacked, because applications open
 * their files by path, and reading from a packed WAR is slow.
 *
 * <p>A WAR is unpacked into a directory of another name, which is renamed after its stamp has been written: after a kill -9 the
 * directory is either complete or absent. The next start deletes the remains.
 */
final class WarDirectory {

    /** In META-INF, because that is never served. */
    private static final String STAMP = "META-INF/millrace.stamp";

    private static final String UNFINISHED = ".unfinished";
    private static final String OUTDATED = ".outdated";

    private final Path directory;

    WarDirectory(Path directory) {
        this.directory = directory;
    }

    Path path() {
        return directory;
    }

    /**
     * Unpacks the archive, if the directory does not hold its files yet.
     *
     * @return true if it did
     */
    boolean refresh(Path archive) throws DeploymentException, IOException {
        removeLeftOvers();
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            String stamp = stamp(zip);
            if (stamp.equals(presentStamp())) {
                return false;
            }
            Path unfinished = sibling(UNFINISHED);
            Files.createDirectories(unfinished);
            for (ZipEntry entry : Collections.list(zip.entries())) {
                unpack(zip, entry, target(entry, unfinished));
            }
            write(unfinished.resolve(STAMP), stamp);
            swap(unfinished);
            return true;
        } catch (ZipException | EOFException e) {
            throw new DeploymentException(
                    "it cannot be unpacked: it is not a ZIP archive, or it is truncated or corrupt (" + e.getMessage()
                            + "); copy or build it again",
                    e);
        }
    }

    private void removeLeftOvers() throws IOException {
        for (String suffix : List.of(UNFINISHED, OUTDATED)) {
            DirectoryTree.delete(sibling(suffix));
        }
    }

    private Path sibling(String suffix) {
        return directory.resolveSibling(directory.getFileName() + suffix);
    }

    /** A checksum of all names, sizes, checksums and times in the archive's central directory; contents are not read. */
    private static String stamp(ZipFile zip) {
        CRC32C crc = new CRC32C();
        long bytes = 0;
        int entries = 0;
        for (ZipEntry entry : Collections.list(zip.entries())) {
            String line = entry.getName() + ' ' + entry.getSize() + ' ' + entry.getCrc() + ' ' + entry.getTime();
            crc.update(line.getBytes(StandardCharsets.UTF_8));
            bytes += Math.max(0, entry.getSize());
            entries++;
        }
        return entries + " entries " + bytes + " bytes " + Long.toHexString(crc.getValue()) + '\n';
    }

    private String presentStamp() throws IOException {
        Path stamp = directory.resolve(STAMP);
        return Files.isRegularFile(stamp) ? Files.readString(stamp) : "";
    }

    /** The file of an entry. A name that leaves the directory ("zip slip") is an attack. */
    private static Path target(ZipEntry entry, Path root) throws DeploymentException {
        String name = entry.getName();
        boolean bad = name.startsWith("/") || name.indexOf('\\') >= 0 || name.indexOf('\0') >= 0;
        Path target = bad ? root : root.resolve(name).normalize();
        if (bad || !target.startsWith(root) || List.of(name.split("/", -1)).contains("..")) {
            throw new DeploymentException("its entry \"" + Printable.of(name)
                    + "\" would be unpacked outside the application's directory; remove the entry from the WAR");
        }
        return target;
    }

    private static void unpack(ZipFile zip, ZipEntry entry, Path target) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Path parent = target.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try (InputStream in = zip.getInputStream(entry)) {
            Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
        }
        if (entry.getLastModifiedTime() != null) {
            Files.setLastModifiedTime(target, entry.getLastModifiedTime());
        }
    }

    private static void write(Path file, String text) throws IOException {
        Path parent = file.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.writeString(file, text);
    }

    private void swap(Path unfinished) throws IOException {
        Path outdated = sibling(OUTDATED);
        if (Files.exists(directory)) {
            Files.move(directory, outdated, StandardCopyOption.ATOMIC_MOVE);
        }
        Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
        DirectoryTree.delete(outdated);
    }

    /** Deletes a directory recursively. Symbolic links are deleted, not followed. */
    static final class DirectoryTree extends SimpleFileVisitor<Path> {

        private DirectoryTree() {}

        /** Does nothing if there is no such file. */
        static void delete(Path root) throws IOException {
            if (Files.exists(root)) {
                Files.walkFileTree(root, new DirectoryTree());
            }
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
