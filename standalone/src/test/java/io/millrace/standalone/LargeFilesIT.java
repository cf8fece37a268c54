package io.millrace.standalone;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.FileClient.Head;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A sparse file of 5 GiB, which says every now and then where one is, and an empty one, on every transport … */
@NullUnmarked
final class LargeFilesIT {

    private static final long LENGTH = 5L << 30;
    private static final long TWO_GIBIBYTES = 1L << 31;
    private static final long FOUR_GIBIBYTES = 1L << 32;
    private static final String MARK = "here";
    private static final byte[] ZEROS = new byte[FileClient.BLOCK];

    /** Before and after what does not fit into 31 and 32 bits, and at the ends. */
    private static final long[] MARKED = {0, TWO_GIBIBYTES - 2, FOUR_GIBIBYTES - 2, LENGTH - 4};

    @TempDir
    private static Path base;

    private static FileServer server;

    @BeforeAll
    static void start() throws IOException {
        Path root = Files.createDirectories(FileServer.root(base));
        try (RandomAccessFile file =
                new RandomAccessFile(root.resolve("large.bin").toFile(), "rw")) {
            file.setLength(LENGTH);
            for (long place : MARKED) {
                file.seek(place);
                file.write(MARK.getBytes(ISO_8859_1));
            }
        }
        Files.write(root.resolve("empty.bin"), new byte[0]);
        Files.setLastModifiedTime(root.resolve("large.bin"), FileTime.from(Instant.parse("2026-01-02T03:04:05Z")));
        server = FileServer.start(base);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static Stream<Arguments> ranges() {
        return FileServer.TRANSPORTS.stream()
                .flatMap(transport -> Stream.of(
                        Arguments.of(transport, "0-3", "0-3", MARK),
                        Arguments.of(transport, "2147483646-2147483649", "2147483646-2147483649", MARK),
                        Arguments.of(transport, "2147483647-2147483648", "2147483647-2147483648", "er"),
                        Arguments.of(transport, "4294967294-4294967297", "4294967294-4294967297", MARK),
                        Arguments.of(transport, "4294967296-4294967297", "4294967296-4294967297", "re"),
                        Arguments.of(transport, "5368709116-", "5368709116-5368709119", MARK),
                        Arguments.of(transport, "5368709119-99999999999999999999", "5368709119-5368709119", "e"),
                        Arguments.of(transport, "-4", "5368709116-5368709119", MARK)));
    }

    @ParameterizedTest
    @MethodSource("ranges")
    void hasRangesBeyondThirtyTwoBits(String transport, String asked, String sent, String expected) throws IOException {
        try (FileClient client = new FileClient(server.port(transport))) {
            for (int i = 0; i < 2; i++) {
                Head head = client.get("/large.bin", "Range", "bytes=" + asked);
                assertEquals(206, head.status(), head.text());
                assertTrue(head.says("Content-Range: bytes " + sent + "/" + LENGTH), head.text());
                assertEquals(expected, new String(client.body(head), ISO_8859_1));
            }
        }
    }

    static Stream<String> transports() {
        return FileServer.TRANSPORTS.stream();
    }

    @ParameterizedTest
    @MethodSource("transports")
    void hasSeveralRangesAndNoneBehindItsEnd(String transport) throws IOException {
        try (FileClient client = new FileClient(server.port(transport))) {
            Head head = client.get("/large.bin", "Range", "bytes=2147483646-2147483649,4294967294-4294967297,-4");
            assertEquals(206, head.status(), head.text());
            String parts = new String(client.body(head), ISO_8859_1);
            assertEquals(3, parts.split("\r\n\r\n" + MARK + "\r\n--", -1).length - 1, parts);
            Head behind = client.get("/large.bin", "Range", "bytes=" + LENGTH + "-");
            assertEquals(416, behind.status());
            assertTrue(behind.says("Content-Range: bytes */" + LENGTH), behind.text());
            client.body(behind);
            assertEquals(LENGTH, client.ask("HEAD", "/large.bin").length());
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void isSentFromWhereTheClientWasCutOff(String transport) throws IOException {
        try (FileClient client = new FileClient(server.port(transport))) {
            long from = FOUR_GIBIBYTES - (32 << 20);
            assertMarks(client, client.get("/large.bin", "Range", "bytes=" + from + "-4395630591"), from);
        }
    }

    static Stream<String> transportsByReadiness() {
        return transports().filter(List.of("nio", "apr")::contains);
    }

    @ParameterizedTest
    @MethodSource("transportsByReadiness")
    @Tag("soak")
    void isSentAsAWhole(String transport) throws IOException {
        try (FileClient client = new FileClient(server.port(transport))) {
            Head head = client.get("/large.bin");
            assertEquals(LENGTH, head.length());
            assertMarks(client, head, 0);
            assertEquals(200, client.ask("HEAD", "/large.bin").status(), "the connection goes on");
        }
    }

    /** All bytes are zero, but the marks. */
    private static void assertMarks(FileClient client, Head head, long from) throws IOException {
        long length = head.length();
        long[] other = {0};
        long got = client.read(length, (at, bytes) -> {
            if (Arrays.equals(bytes, 0, bytes.length, ZEROS, 0, bytes.length)) { // what nearly all are, seen by words
                return;
            }
            for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] != 0) {
                    other[0] += bytes[i] == expected(from + at + i) ? 1 : 1 << 20;
                }
            }
        });
        assertEquals(length, got);
        long marks = 0;
        for (long place : MARKED) {
            marks += place >= from && place + MARK.length() <= from + length ? MARK.length() : 0;
        }
        assertEquals(marks, other[0]);
    }

    private static int expected(long at) {
        for (long place : MARKED) {
            if (at >= place && at < place + MARK.length()) {
                return MARK.charAt((int) (at - place));
            }
        }
        return 0;
    }

    @ParameterizedTest
    @MethodSource("transports")
    void isEmptyAndHasNoRanges(String transport) throws IOException {
        try (FileClient client = new FileClient(server.port(transport))) {
            for (int i = 0; i < 8; i++) {
                Head head = client.get("/empty.bin");
                assertEquals(200, head.status());
                assertEquals(0, head.length());
            }
            Head ranged = client.get("/empty.bin", "Range", "bytes=0-");
            assertEquals(200, ranged.status());
            assertEquals(0, ranged.length());
            assertFalse(ranged.says("Content-Range:"), ranged.text());
        }
    }
}
