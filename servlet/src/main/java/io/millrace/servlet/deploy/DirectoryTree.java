package io.millrace.servlet.deploy;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Deletes a directory recursively. Symbolic links are deleted, not followed. */
final class DirectoryTree extends SimpleFileVisitor<Path> {

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
