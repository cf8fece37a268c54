package io.millrace.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The deletion of files … */
final class FileDeletionTest {

    @TempDir
    Path root;

    @Test
    void takesADirectoryWithAllThatIsInIt() throws IOException {
        Path directory = root.resolve("a");
        Files.createDirectories(directory.resolve("b/c"));
        Files.writeString(directory.resolve("b/file"), "");
        FileDeletion.deleteTree(directory);
        assertFalse(Files.exists(directory));
        FileDeletion.deleteTree(directory);
    }

    @Test
    void leavesWhatLinksLeadTo() throws IOException {
        Path other = Files.createDirectory(root.resolve("other"));
        Path kept = Files.writeString(other.resolve("kept"), "kept");
        Path directory = Files.createDirectory(root.resolve("a"));
        Files.createSymbolicLink(directory.resolve("link"), other);
        FileDeletion.deleteTree(directory);
        assertFalse(Files.exists(directory));
        assertEquals("kept", Files.readString(kept));
        Path dangling = Files.createSymbolicLink(root.resolve("dangling"), root.resolve("nothing"));
        FileDeletion.deleteTree(dangling);
        assertFalse(Files.isSymbolicLink(dangling));
    }
}
