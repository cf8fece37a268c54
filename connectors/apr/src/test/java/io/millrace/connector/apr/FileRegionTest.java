package io.millrace.connector.apr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.TransportHarness;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file … */
@Timeout(60)
final class FileRegionTest {

    private final TransportHarness harness = new TransportHarness(new AprTransportProvider());

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    @Test
    void isSeenByItsDescriptorWhileItIsOpen(@TempDir Path directory) throws IOException {
        FileChannel file = FileChannel.open(file(directory, new byte[1]), StandardOpenOption.READ);
        assertNotEquals(AprPolledSocket.FileDescriptors.NONE, AprPolledSocket.FileDescriptors.of(file));
        file.close();
        assertEquals(AprPolledSocket.FileDescriptors.NONE, AprPolledSocket.FileDescriptors.of(file));
    }

    @Test
    void isCopiedIfItsDescriptorCannotBeSeen(@TempDir Path directory) throws Exception {
        byte[] content = new byte[3 << 20];
        new Random(5).nextBytes(content);
        try (FileSystem zip = zip(directory, content);
                FileChannel file = FileChannel.open(zip.getPath("file"))) {
            assertEquals(AprPolledSocket.FileDescriptors.NONE, AprPolledSocket.FileDescriptors.of(file));
            harness.serve((connection, probe) -> connection.write(
                    new Payload.FileRegion(file, 11, content.length - 22),
                    failure -> connection.finish(Completion.IGNORE)));
            byte[] expected = Arrays.copyOfRange(content, 11, content.length - 11);
            assertArrayEquals(expected, harness.connect(16 * 1024).readToEnd());
        }
    }

    @Test
    void failsItsWriteIfItIsShorterThanAnnouncedThoughCopied(@TempDir Path directory) throws Exception {
        CompletableFuture<String> done = new CompletableFuture<>();
        try (FileSystem zip = zip(directory, new byte[10]);
                FileChannel file = FileChannel.open(zip.getPath("file"))) {
            harness.serve((connection, probe) -> connection.write(
                    new Payload.FileRegion(file, 0, 11), failure -> done.complete(String.valueOf(failure))));
            harness.connect().awaitClose();
            assertTrue(Deadline.await(done).contains("the file ended 1 bytes before"), done.get());
        }
    }

    /** Its channels are not the JDK's own, so that their descriptors are not available. */
    private static FileSystem zip(Path directory, byte[] content) throws IOException {
        FileSystem zip = FileSystems.newFileSystem(directory.resolve("zip"), Map.of("create", "true"));
        Files.write(zip.getPath("file"), content);
        return zip;
    }

    private static Path file(Path directory, byte[] content) throws IOException {
        return Files.write(directory.resolve("file"), content);
    }
}
