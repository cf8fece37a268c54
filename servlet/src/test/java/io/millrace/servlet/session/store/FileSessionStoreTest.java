package io.millrace.servlet.session.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store of files … */
final class FileSessionStoreTest extends SessionStoreContract {

    private static final SessionRecord SESSION =
            new SessionRecord("k", 0, 1_000, 2_000, 60, Map.of("a", new byte[] {1, 2, 3}), Map.of());

    @TempDir
    private Path directory = Path.of("");

    @Override
    protected FileSessionStore store() throws IOException {
        return new FileSessionStore(directory.resolve("sessions"));
    }

    @Override
    protected SessionStore other(SessionStore store) throws IOException {
        return store();
    }

    private Path file() {
        return directory.resolve("sessions/k.session");
    }

    @Test
    void removesADamagedFileAndKeepsTheOthers() throws IOException {
        FileSessionStore store = store();
        store.write(SESSION);
        byte[] whole = Files.readAllBytes(file());
        byte[] changed = whole.clone();
        changed[whole.length / 2] ^= 1;
        List<byte[]> damages =
                List.of(new byte[0], new byte[] {1}, Arrays.copyOf(whole, whole.length - 1), changed, new byte[100]);
        for (byte[] damage : damages) {
            store.write(new SessionRecord("other", 0, 1, 1, 0, Map.of(), Map.of()));
            Files.write(file(), damage);
            assertNull(store.read("k"));
            assertFalse(Files.exists(file()));
            assertNotNull(store.read("other"));
        }
    }

    @Test
    void removesADamagedFileWhenItLooksForExpiredOnes() throws IOException {
        FileSessionStore store = store();
        Files.write(file(), new byte[] {1});
        assertEquals(List.of(), store.takeExpired(1, 10));
        assertFalse(Files.exists(file()));
    }

    @Test
    void believesNoFileThatWasRenamed() throws IOException {
        FileSessionStore store = store();
        store.write(SESSION);
        Files.move(file(), directory.resolve("sessions/planted.session"));
        assertNull(store.read("planted"));
    }

    @Test
    void isForItsUserAlone() throws IOException {
        FileSessionStore store = store();
        store.write(SESSION);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(store.directory())));
    }

    @Test
    void leavesNothingHalfWrittenBehind() throws IOException {
        FileSessionStore store = store();
        store.write(SESSION);
        Files.writeString(directory.resolve("sessions/k.unfinished"), "a crash left this");
        assertTrue(store.write(SESSION.withVersion(1)));
        try (Stream<Path> files = Files.list(store.directory())) {
            assertEquals(
                    List.of(".lock", "k.session"),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void saysThatItsNameIsTaken() throws IOException {
        Path taken = Files.writeString(directory.resolve("taken"), "");
        assertThrows(IOException.class, () -> new FileSessionStore(taken));
    }
}
