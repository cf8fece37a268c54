package io.millrace.servlet.deploy.scan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that keeps what scans found … */
final class IndexFileTest {

    private static final JarKey A = new JarKey("aa");
    private static final JarKey B = new JarKey("bb");

    @TempDir
    private Path directory = Path.of("");

    @BeforeEach
    void write() {
        new IndexFile(directory, "types").write(Map.of(A, new byte[] {1, 2}, B, new byte[0]));
    }

    private Map<JarKey, byte[]> read(String target) {
        return new IndexFile(directory, target).read();
    }

    @Test
    void givesBackWhatItWasGiven() {
        Map<JarKey, byte[]> jars = read("types");
        assertEquals(Set.of(A, B), jars.keySet());
        assertArrayEquals(new byte[] {1, 2}, jars.get(A));
        assertArrayEquals(new byte[0], jars.get(B));
    }

    @Test
    void isOfNoUseToWhomLooksForSomethingElse() {
        assertEquals(Map.of(), read("other types"));
    }

    @Test
    void isReplacedAsAWhole() {
        new IndexFile(directory, "types").write(Map.of(A, new byte[] {3}));
        assertEquals(Set.of(A), read("types").keySet());
    }

    @Test
    void countsAsMissingIfASingleBitIsWrong() throws IOException {
        Path file = directory.resolve("classes.index");
        byte[] whole = Files.readAllBytes(file);
        for (int bit = 0; bit < 8 * whole.length; bit++) {
            byte[] damaged = whole.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file, damaged);
            assertEquals(Map.of(), read("types"));
        }
        Files.write(file, whole);
        assertNotNull(read("types").get(A));
    }
}
