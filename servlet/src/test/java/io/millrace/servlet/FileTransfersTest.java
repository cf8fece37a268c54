package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.files.CacheLimits;
import io.millrace.files.FileHandler;
import io.millrace.io.TransportOptions;
import io.millrace.testkit.Transports;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files sent by every transport … */
final class FileTransfersTest {

    /** More by hand: 100,000. */
    private static final int TRANSFERS = Integer.getInteger("millrace.transfers", 1_200);

    private static final int CLIENTS = 6;

    @TempDir
    Path root = Path.of("");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS + 1);
    private @Nullable Server server;

    @AfterEach
    void stop() {
        clients.shutdownNow();
        if (server != null) {
            server.stop(Duration.ZERO);
        }
    }

    private void start(String transport, CacheLimits limits) throws IOException {
        server = Server.builder()
                .connector(Connector.builder()
                        .transport(transport)
                        .port(0)
                        .with(TransportOptions.MAX_THREADS, 4)
                        .build())
                .handler(FileHandler.builder(root).cache(limits).build())
                .start();
    }

    private int port() {
        return Objects.requireNonNull(server).port();
    }

    private HttpRequest request(String path, String... fields) {
        var builder = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(30));
        return fields.length == 0 ? builder.build() : builder.headers(fields).build();
    }

    private HttpResponse<byte[]> get(String path, String... fields) throws Exception {
        return client.send(request(path, fields), BodyHandlers.ofByteArray());
    }

    private static long crc(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }

    @ParameterizedTest
    @MethodSource("io.millrace.testkit.Transports#installed")
    void areRightWhileTheCacheLetsGoOfThem(String transport) throws Exception {
        int files = 150;
        long[] sums = new long[files];
        Random random = new Random(3);
        for (int i = 0; i < files; i++) {
            byte[] bytes = new byte[1 + random.nextInt(i % 3 == 0 ? 300_000 : 20_000)];
            random.nextBytes(bytes);
            sums[i] = crc(bytes);
            Files.write(root.resolve("f" + i), bytes);
        }
        CacheLimits tight = CacheLimits.DEFAULTS
                .withBytes(2 << 20, 100 << 10)
                .withFiles(8, 100)
                .withAdmission(2)
                .withFreshness(Duration.ofMillis(50));
        start(transport, tight);
        together(() -> {
            Random mine = new Random();
            for (int i = 0; i < TRANSFERS / CLIENTS; i++) {
                int file = Math.min(mine.nextInt(files), mine.nextInt(files));
                assertEquals(sums[file], crc(get("/f" + file).body()), "/f" + file);
            }
            return null;
        });
    }

    private void together(Callable<Void> action) throws Exception {
        List<Future<Void>> running = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            running.add(clients.submit(action));
        }
        for (Future<Void> one : running) {
            one.get();
        }
    }

    /** Each state of the file is all one letter, and as long as the letter says. */
    @ParameterizedTest
    @MethodSource("io.millrace.testkit.Transports#installed")
    void areNeverOfTwoStates(String transport) throws Exception {
        Path file = root.resolve("f");
        write(file, 0, StandardOpenOption.CREATE);
        start(transport, CacheLimits.DEFAULTS.withAdmission(2).withFreshness(Duration.ofMillis(5)));
        AtomicBoolean over = new AtomicBoolean();
        Future<Integer> writer = clients.submit(() -> change(file, over));
        AtomicInteger complete = new AtomicInteger();
        try {
            together(() -> {
                for (int i = 0; i < TRANSFERS / CLIENTS / 5; i++) {
                    if (isWhole()) {
                        complete.incrementAndGet();
                    }
                }
                return null;
            });
        } finally {
            over.set(true);
        }
        assertTrue(writer.get() > 0);
        assertTrue(complete.get() > 0, "all transfers were cut");
    }

    private boolean isWhole() throws Exception {
        byte[] body;
        try {
            HttpResponse<byte[]> answer = get("/f");
            if (answer.statusCode() != 200) {
                return false;
            }
            body = answer.body();
        } catch (IOException cut) {
            return false;
        }
        byte[] same = new byte[body.length];
        Arrays.fill(same, body[0]);
        assertTrue(Arrays.equals(same, body), "of two states");
        assertEquals(size(body[0] - 'a'), body.length);
        return true;
    }

    private static int size(int state) {
        return 20_000 + state * 17_000;
    }

    private static void write(Path file, int state, StandardOpenOption... options) throws IOException {
        byte[] bytes = new byte[size(state)];
        Arrays.fill(bytes, (byte) ('a' + state));
        Files.write(file, bytes, options);
    }

    /** By renaming, so that no reader can find it half written: that would be a state of its own. */
    private int change(Path file, AtomicBoolean over) throws IOException {
        int changes = 0;
        for (int state = 0; !over.get(); state = (state + 1) % 12) {
            Path next = root.resolve("next");
            write(next, state, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            changes++;
        }
        return changes;
    }

    @ParameterizedTest
    @MethodSource("io.millrace.testkit.Transports#installed")
    void areCutIfTheFileIsWrittenOverMeanwhile(String transport) throws Exception {
        Path file = root.resolve("large");
        Files.write(file, new byte[32 << 20]);
        start(transport, CacheLimits.DEFAULTS);
        try (Socket slow = ask("/large")) {
            InputStream in = slow.getInputStream();
            int first = in.readNBytes(1000).length;
            try (FileChannel over = FileChannel.open(file, StandardOpenOption.WRITE)) {
                over.write(ByteBuffer.wrap(new byte[] {1}), 31 << 20);
            }
            long rest = 0;
            try {
                rest = in.transferTo(java.io.OutputStream.nullOutputStream());
            } catch (IOException reset) {
                // as good as an end
            }
            assertTrue(first + rest < 32 << 20, "a complete response of two states");
        }
    }

    @Test
    void holdNoWorkerForSlowReaders() throws Exception {
        int readers = Integer.getInteger("millrace.readers", 300);
        Files.write(root.resolve("large"), new byte[32 << 20]);
        Files.writeString(root.resolve("small"), "small");
        start(Transports.byDefault(), CacheLimits.DEFAULTS);
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < readers; i++) {
                slow.add(ask("/large"));
            }
            for (Socket reader : slow) {
                assertEquals('H', reader.getInputStream().read());
            }
            for (int i = 0; i < 20; i++) {
                assertEquals("small", new String(get("/small").body(), StandardCharsets.US_ASCII));
            }
        } finally {
            for (Socket reader : slow) {
                reader.close();
            }
        }
    }

    private Socket ask(String path) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
        socket.setSoTimeout(20_000);
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    @ParameterizedTest
    @MethodSource("io.millrace.testkit.Transports#installed")
    void reachTheEndOfAFileOfFiveGibibytes(String transport) throws Exception {
        long size = 5L << 30;
        try (FileChannel sparse =
                FileChannel.open(root.resolve("huge"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            sparse.write(ByteBuffer.wrap("end".getBytes(StandardCharsets.US_ASCII)), size - 3);
            sparse.write(ByteBuffer.wrap("beyond".getBytes(StandardCharsets.US_ASCII)), 3L << 30);
        }
        start(transport, CacheLimits.DEFAULTS);
        for (int i = 0; i < 7; i++) {
            assertEquals("end", text("/huge", "Range", "bytes=-3"));
            assertEquals("beyond", text("/huge", "Range", "bytes=3221225472-3221225477"));
        }
        assertEquals(
                100_000_000,
                get("/huge", "Range", "bytes=2100000000-2199999999").body().length);
        HttpResponse<Void> head = client.send(
                HttpRequest.newBuilder(request("/huge"), (name, value) -> true)
                        .method("HEAD", HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.discarding());
        assertEquals(
                String.valueOf(size),
                head.headers().firstValue("Content-Length").orElse(""));
    }

    private String text(String path, String... fields) throws Exception {
        return new String(get(path, fields).body(), StandardCharsets.US_ASCII);
    }
}
