package io.millrace.standalone;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.FileClient.Head;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files on every transport, asked for by many at once. Each byte of a file follows from its number, its state and its
 * place, so that a wrong one is seen. {@code millrace.stress.transfers} makes it ask longer: 2,000 times a transport.
 */
@NullUnmarked
final class FilesUnderLoadIT {

    private static final int CLIENTS = 8;
    private static final int TRANSFERS = Integer.getInteger("millrace.stress.transfers", 2_000);
    private static final int LARGE = 16 << 20;

    @TempDir
    private static Path base;

    private static FileServer server;

    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);

    @BeforeAll
    static void start() throws IOException {
        server = FileServer.start(base);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void stopClients() throws InterruptedException {
        clients.shutdownNow();
        assertTrue(clients.awaitTermination(20, TimeUnit.SECONDS));
    }

    static Stream<String> transports() {
        return FileServer.TRANSPORTS.stream();
    }

    /** Twice as much as the cache holds, in files of 1 byte to 400 KiB; half of the requests are for a tenth of them. */
    @ParameterizedTest
    @MethodSource("transports")
    @Tag("soak")
    void areNeverMixedUpWhileTheCacheLetsThemGo(String transport) throws Exception {
        int files = 160;
        int[] lengths = new int[files];
        Random random = new Random(1);
        for (int i = 0; i < files; i++) {
            lengths[i] = 1 + random.nextInt(400 << 10);
            Files.write(server.file("f" + i), content(i, lengths[i]));
        }
        byAll(client -> {
            Random own = new Random(client);
            try (FileClient connection = new FileClient(server.port(transport))) {
                for (int i = 0; i < TRANSFERS / CLIENTS; i++) {
                    int number = own.nextInt(own.nextBoolean() ? files : files / 10);
                    assertIs(number, lengths[number], connection, connection.get("/f" + number));
                }
            }
            return null;
        });
    }

    /** Twice as many as the cache knows at a time. */
    @Test
    @Tag("soak")
    void areFoundInATreeOfTwentyThousand() throws Exception {
        int directories = 1_000;
        int files = 20;
        for (int i = 0; i < directories; i++) {
            Path directory = Files.createDirectories(server.file("tree/" + i % 10 + "/" + i));
            for (int j = 0; j < files; j++) {
                Files.write(directory.resolve(j + ".txt"), (i + "/" + j).getBytes(ISO_8859_1));
            }
        }
        byAll(client -> {
            try (FileClient connection =
                    new FileClient(server.port(FileServer.TRANSPORTS.get(client % FileServer.TRANSPORTS.size())))) {
                for (int i = client; i < directories; i += CLIENTS) {
                    for (int j = 0; j < files; j++) {
                        Head head = connection.get("/tree/" + i % 10 + "/" + i + "/" + j + ".txt");
                        assertEquals(i + "/" + j, new String(connection.body(head), ISO_8859_1));
                    }
                }
            }
            return null;
        });
    }

    /** One file after the other takes its place by renaming; whoever gets an answer gets one of them, whole. */
    @ParameterizedTest
    @MethodSource("transports")
    @Tag("soak")
    void areWholeThoughTheyAreReplaced(String transport) throws Exception {
        int length = 3 << 20;
        replace("page-" + transport, 0, length);
        int[] next = {1};
        byAll(client -> {
            try (FileClient connection = new FileClient(server.port(transport))) {
                for (int i = 0; i < 25; i++) {
                    if (client == 0) {
                        replace("page-" + transport, next[0]++, length);
                    } else {
                        Head head = connection.get("/page-" + transport);
                        byte[] body = connection.body(head);
                        int number = body[0];
                        assertEquals(ByteBuffer.wrap(content(number, length)), ByteBuffer.wrap(body));
                    }
                }
            }
            return null;
        });
    }

    @ParameterizedTest
    @MethodSource("transports")
    void endEarlyIfTheyAreTruncatedMeanwhile(String transport) throws Exception {
        assertEndsEarly(transport, file -> file.setLength(LARGE / 2));
    }

    @ParameterizedTest
    @MethodSource("transports")
    void endEarlyIfTheyAreWrittenOverMeanwhile(String transport) throws Exception {
        assertEndsEarly(transport, file -> file.write(content(2, LARGE)));
    }

    @ParameterizedTest
    @MethodSource("transports")
    void areSentWholeThoughTheyAreDeletedMeanwhile(String transport) throws Exception {
        String name = "large-" + transport;
        Path file = server.file(name);
        Files.write(file, content(1, LARGE));
        try (FileClient connection = new FileClient(server.port(transport))) {
            Head head = connection.get("/" + name);
            Files.delete(file);
            assertIs(1, LARGE, connection, head);
        }
    }

    private void assertEndsEarly(String transport, Change change) throws Exception {
        String name = "large-" + transport;
        Path file = server.file(name);
        Files.write(file, content(1, LARGE));
        try (FileClient connection = new FileClient(server.port(transport))) {
            Head head = connection.get("/" + name);
            assertEquals(LARGE, head.length());
            try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                change.to(open);
            }
            assertTrue(connection.read(LARGE, (at, bytes) -> {}) < LARGE, "all that was announced came");
        }
        Deadline.await("the file as it is now", () -> isServed(transport, name));
    }

    private boolean isServed(String transport, String name) {
        try (FileClient connection = new FileClient(server.port(transport))) {
            Head head = connection.get("/" + name);
            return head.length() == Files.size(server.file(name))
                    && connection.read(head.length(), (at, bytes) -> {}) == head.length();
        } catch (IOException e) {
            return false;
        }
    }

    private void replace(String name, int number, int length) throws IOException {
        Path other = server.file(name + ".new");
        Files.write(other, content(number, length));
        Files.move(other, server.file(name), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void assertIs(int number, int length, FileClient connection, Head head) throws IOException {
        assertEquals(200, head.status(), head.text());
        assertEquals(length, head.length());
        int[] wrong = {0};
        long got = connection.read(length, (at, bytes) -> {
            for (int i = 0; i < bytes.length; i++) {
                wrong[0] += bytes[i] == valueAt(number, (int) at + i) ? 0 : 1;
            }
        });
        assertEquals(length, got);
        assertEquals(0, wrong[0], "wrong bytes of file " + number);
    }

    private static byte[] content(int number, int length) {
        byte[] content = new byte[length];
        for (int i = 0; i < length; i++) {
            content[i] = valueAt(number, i);
        }
        return content;
    }

    /** The first is the number itself. */
    private static byte valueAt(int number, int at) {
        return (byte) (number + at + (at >>> 8) * 31 + (at >>> 16) * 7);
    }

    /** Each in a thread of its own, with its number. */
    private void byAll(Task task) throws Exception {
        List<Future<Void>> running = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int client = i;
            Callable<Void> call = () -> task.run(client);
            running.add(clients.submit(call));
        }
        for (Future<Void> each : running) {
            each.get(10, TimeUnit.MINUTES);
        }
    }

    private interface Task {
        Void run(int client) throws Exception;
    }

    private interface Change {
        void to(RandomAccessFile file) throws IOException;
    }
}
