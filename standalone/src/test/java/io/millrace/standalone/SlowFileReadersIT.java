package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A thousand clients that have asked for 32 MiB and don't read them … */
@NullUnmarked
@Tag("soak")
final class SlowFileReadersIT {

    private static final int READERS = 1_000;
    private static final int LENGTH = 32 << 20;

    /** More than it had then: the transport's own may come later, workers for each reader may not. */
    private static final int THREADS = 30;

    /**
     * Without it the kernel buffers up to 4 MiB for each of them: a thousand use up what it has for TCP, and then it resets
     * connections of other tests.
     */
    private static final String SEND_BUFFER = "socket.txBufSize=\"131072\"";

    @TempDir
    private Path base;

    private FileServer server;
    private final List<FileClient> readers = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        server = FileServer.startProcess(base, SEND_BUFFER);
        try (RandomAccessFile file = new RandomAccessFile(server.file("large").toFile(), "rw")) {
            file.setLength(LENGTH);
        }
    }

    @AfterEach
    void stop() throws IOException {
        for (FileClient reader : readers) {
            reader.close();
        }
        server.close();
    }

    /**
     * On bio each connection that is being served has a thread, but a virtual one, as the guide says. On nio2, which can't
     * leave files to the kernel, each holds the piece that it is about to send.
     */
    @ParameterizedTest
    @MethodSource("io.millrace.testkit.Transports#installed")
    void holdNoThreadAndLittleMemory(String transport) throws IOException {
        long kilobytes = transport.equals("nio2") ? 192 : 64; // for each, beside what the process had after one reader
        try (FileClient first = new FileClient(server.port(transport))) {
            first.read(first.get("/large").length(), (at, bytes) -> {});
        }
        long memory = status("VmRSS");
        long threads = status("Threads");
        for (int i = 0; i < READERS; i++) {
            FileClient reader = new FileClient(server.port(transport));
            readers.add(reader);
            assertEquals(LENGTH, reader.get("/large").length());
        }
        long more = status("VmRSS") - memory;
        assertTrue(more < kilobytes * READERS, more + " kB more");
        assertTrue(status("Threads") < threads + THREADS, status("Threads") + " threads, were " + threads);
        assertEquals(LENGTH, readers.get(READERS / 2).read(LENGTH, (at, bytes) -> {}));
    }

    private long status(String name) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + server.pid() + "/status"))) {
            if (line.startsWith(name + ":")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new AssertionError("no " + name);
    }
}
