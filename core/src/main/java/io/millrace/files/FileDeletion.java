package io.millrace.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Deletes files. */
public final class FileDeletion {

    private FileDeletion() {}

    /**
     * Deletes a file, or a directory with all that is in it. Symbolic links are deleted, and what they lead to stays. Nothing happens if
     * there is no such file.
     *
     * @throws IOException if one of them cannot be deleted; others are gone already
     */
    public static void deleteTree(Path place) throws IOException {
        if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
