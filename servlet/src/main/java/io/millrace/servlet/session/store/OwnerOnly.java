package io.millrace.servlet.session.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Creates files that only the server's user may access, where the file system has POSIX permissions: sessions are private. */
final class OwnerOnly {

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
