package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.model.DeploymentException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WarDirectoryTest {

    @TempDir
    Path directory;

    private Path war(String text) throws IOException {
        return new Archive().with("index.html", text).with("a/b.txt", "b").writeTo(directory.resolve("shop.war"));
    }

    private WarDirectory unpacked() {
        return new WarDirectory(directory.resolve("webapp"));
    }

    private String index() throws IOException {
        return Files.readString(directory.resolve("webapp/index.html"));
    }

    @Test
    void unpacksAllFiles() throws Exception {
        assertTrue(unpacked().refresh(war("one")));
        assertEquals("one", index());
        assertEquals("b", Files.readString(directory.resolve("webapp/a/b.txt")));
    }

    @Test
    void keepsTheFilesOfAnUnchangedWar() throws Exception {
        Path war = war("one");
        unpacked().refresh(war);
        Files.writeString(directory.resolve("webapp/made-by-the-application.txt"), "x");
        Files.setLastModifiedTime(war, FileTime.from(Instant.EPOCH));
        assertFalse(unpacked().refresh(war));
        assertTrue(Files.exists(directory.resolve("webapp/made-by-the-application.txt")));
    }

    @Test
    void replacesTheFilesOfAChangedWar() throws Exception {
        unpacked().refresh(war("one"));
        Files.writeString(directory.resolve("webapp/old.txt"), "x");
        assertTrue(unpacked().refresh(war("two")));
        assertEquals("two", index());
        assertFalse(Files.exists(directory.resolve("webapp/old.txt")));
    }

    @Test
    void startsAfreshAfterItWasKilledWhileUnpacking() throws Exception {
        Path unfinished = Files.createDirectories(directory.resolve("webapp.unfinished/a"));
        Files.writeString(unfinished.resolve("half"), "ha");
        Path outdated = Files.createDirectories(directory.resolve("webapp.outdated"));
        Files.writeString(outdated.resolve("index.html"), "zero");
        unpacked().refresh(war("one"));
        assertEquals("one", index());
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(
                    List.of("shop.war", "webapp"),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void replacesADirectoryThatSomebodyElseMade() throws Exception {
        Files.createDirectories(directory.resolve("webapp"));
        Files.writeString(directory.resolve("webapp/index.html"), "by hand");
        unpacked().refresh(war("one"));
        assertEquals("one", index());
    }

    @Test
    void keepsTheTimesOfTheFiles() throws Exception {
        unpacked().refresh(war("one"));
        Instant modified =
                Files.getLastModifiedTime(directory.resolve("webapp/a/b.txt")).toInstant();
        assertTrue(modified.isAfter(Instant.now().minusSeconds(600)), modified.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"../evil.txt", "a/../../evil.txt", "/evil.txt", "..\\evil.txt", "a/../evil.txt"})
    void refusesAnEntryThatClimbsOut(String name) throws Exception {
        Path war = new Archive().with("ok.txt", "x").with(name, "evil").writeTo(directory.resolve("bad.war"));
        DeploymentException refusal =
                assertThrows(DeploymentException.class, () -> unpacked().refresh(war));
        assertTrue(refusal.getMessage().contains("outside"), refusal.getMessage());
        assertFalse(Files.exists(directory.resolve("webapp")));
        assertFalse(Files.exists(directory.resolve("evil.txt")));
    }

    @Test
    void saysThatAFileIsNoArchive() throws Exception {
        Path war =
                Files.writeString(directory.resolve("text.war"), "<html>404 not found</html>", StandardCharsets.UTF_8);
        assertBroken(war);
    }

    @Test
    void saysThatAFileIsEmpty() throws Exception {
        assertBroken(Files.createFile(directory.resolve("empty.war")));
    }

    @Test
    void saysThatAnArchiveWasCutOff() throws Exception {
        byte[] whole = Files.readAllBytes(war("one"));
        assertBroken(Files.write(directory.resolve("cut.war"), Arrays.copyOf(whole, whole.length / 2)));
    }

    private void assertBroken(Path war) {
        DeploymentException refusal =
                assertThrows(DeploymentException.class, () -> unpacked().refresh(war));
        assertTrue(refusal.getMessage().contains("not a ZIP archive, or it is truncated"), refusal.getMessage());
    }
}
