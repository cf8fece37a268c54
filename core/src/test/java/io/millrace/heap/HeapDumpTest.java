package io.millrace.heap;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is no whole heap dump … */
final class HeapDumpTest {

    private static byte[] dump(int idSize, int tag, int length) {
        return ByteBuffer.allocate(19 + 12 + 9)
                .put("JAVA PROFILE 1.0.2\0".getBytes(StandardCharsets.US_ASCII))
                .putInt(idSize)
                .putLong(0)
                .put((byte) tag)
                .putInt(0)
                .putInt(length)
                .array();
    }

    private static String refusal(Path file) {
        return String.valueOf(
                assertThrows(IOException.class, () -> HeapDump.open(file)).getMessage());
    }

    @Test
    void isRefusedWithTheReason(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("x.hprof");
        for (byte[] wrong : new byte[][] {
            {}, {0, 0, 0, 8}, "JAVA PROFILE 1.0.2".getBytes(StandardCharsets.US_ASCII), dump(4, 0x2C, 0)
        }) {
            Files.write(file, wrong);
            String refused = refusal(file);
            assertTrue(refused.startsWith("is no heap dump"), refused);
        }
        for (byte[] truncated : new byte[][] {dump(8, 0x0C, 1), dump(8, 0x01, -1), dump(8, 0x1C, 1 << 30)}) {
            Files.write(file, truncated);
            String refused = refusal(file);
            assertTrue(refused.startsWith("is truncated"), refused);
        }
        Files.write(file, dump(8, 0x2C, 0));
        HeapDump.open(file).close();
    }
}
