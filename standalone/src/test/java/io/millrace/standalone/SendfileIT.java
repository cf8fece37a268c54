package io.millrace.standalone;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.FileClient.Head;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.Transports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who sends files, as the system sees it: where it can, the kernel … */
@NullUnmarked
final class SendfileIT {

    private static final List<String> TRANSPORTS = Transports.installed();
    private static final int LARGE = 16 << 20;
    private static final int MIDDLE = 128 << 10;

    /** Calls that read so much if it is copied, in pieces of 32 KiB; it goes by sendfile in tens of calls. */
    private static final int HALF_OF_THE_COPIES = LARGE / (64 * 1024);

    /** More often than a file is asked for before it is kept. */
    private static final int OFTEN = 10;

    @TempDir
    private static Path base;

    private static byte[] large;
    private static Product product;

    /** Two ports of each transport. */
    @BeforeAll
    static void start() throws IOException {
        StringBuilder connectors = new StringBuilder();
        Path root = Files.createDirectories(FileServer.root(base));
        for (String transport : TRANSPORTS) {
            String connector = "<Connector port='0' address='127.0.0.1' protocol='" + transport + "'";
            connectors.append(connector).append("/>").append(connector).append(" useSendfile='false'/>");
            Files.write(root.resolve(transport + ".bin"), new byte[MIDDLE]);
        }
        large = new byte[LARGE];
        new Random(1).nextBytes(large);
        Files.write(root.resolve("large.bin"), large);
        Files.writeString(
                Files.createDirectories(base.resolve("conf")).resolve("server.xml"),
                "<Server><Service>" + connectors + "<Engine><Host/></Engine></Service></Server>",
                ISO_8859_1);
        product = Product.process().serving("start", "--base=" + base);
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    static List<String> all() {
        return TRANSPORTS;
    }

    /** Java's asynchronous channels can't. */
    static Stream<String> able() {
        return TRANSPORTS.stream().filter(each -> !each.equals("nio2"));
    }

    @ParameterizedTest
    @MethodSource("able")
    void sendsThemUnlessItIsTurnedOff(String transport) throws IOException {
        int port = 2 * TRANSPORTS.indexOf(transport);
        long sent = readsForLarge(port);
        long copied = readsForLarge(port + 1);
        assertTrue(sent < HALF_OF_THE_COPIES, sent + " calls, by sendfile");
        assertTrue(copied >= HALF_OF_THE_COPIES, copied + " calls, copied");
    }

    /** Elsewhere memory is the better place. */
    @ParameterizedTest
    @MethodSource("all")
    void hasThoseKeptOpenThatAreAskedForOften(String transport) throws IOException {
        try (FileClient client = client(2 * TRANSPORTS.indexOf(transport))) {
            for (int i = 0; i < OFTEN; i++) {
                Head head = client.get("/" + transport + ".bin");
                assertEquals(MIDDLE, client.body(head).length);
            }
        }
        boolean kept = able().anyMatch(transport::equals);
        Deadline.await("the file to be " + (kept ? "open" : "closed"), () -> isOpen(transport + ".bin") == kept);
    }

    private static FileClient client(int connector) throws IOException {
        return new FileClient(product.ports().get(connector));
    }

    /**
     * System calls that read, sendfile among them, for a response; the fewest, as those that load classes meanwhile are not
     * meant.
     */
    private static long readsForLarge(int connector) throws IOException {
        try (FileClient client = client(connector)) {
            long fewest = Long.MAX_VALUE;
            for (int i = 0; i < 4; i++) {
                long before = reads();
                Head head = client.get("/large.bin");
                assertEquals(200, head.status(), head.text());
                assertArrayEquals(large, client.body(head));
                fewest = Math.min(fewest, reads() - before);
            }
            return fewest;
        }
    }

    private static long reads() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + product.pid() + "/io")).stream()
                .filter(line -> line.startsWith("syscr: "))
                .mapToLong(line -> Long.parseLong(line.substring(7)))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isOpen(String name) {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + product.pid() + "/fd"))) {
            return open.anyMatch(each -> {
                try {
                    return Files.readSymbolicLink(each).endsWith(name);
                } catch (IOException closed) {
                    return false;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
