package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.PACKET_SIZE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.ResponseHead;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A response's body … */
class BodyPacketsTest {

    private static final String HEAD = "[HEAD 200]";

    @TempDir
    private Path directory = Path.of("");

    static Stream<Arguments> sizes() {
        return IntStream.of(0, 1, 16, 8184, 8185, 16_384, 49_104, 49_105, 49_152, 49_153, 65_528, 150_000)
                .boxed()
                .flatMap(size -> Stream.of(Arguments.of(8192, size), Arguments.of(65_536, size)));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void isOfFullPacketsButForTheLast(int packetSize, int size) {
        try (AjpFixture ajp = waiting(packetSize)) {
            byte[] body = body(size);
            ByteBuffer first = ByteBuffer.wrap(body, 0, size / 3);
            ByteBuffer rest = ByteBuffer.wrap(body, size / 3, size - size / 3);
            ajp.stream()
                    .send(
                            new ResponseHead(),
                            new Payload.Bytes(first, rest),
                            true,
                            failed -> ajp.stream().end());
            assertEquals(HEAD + packets(body, packetSize) + AjpFixture.END, ajp.sent());
            assertFalse(first.hasRemaining() || rest.hasRemaining());
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void isOfTheSamePacketsIfItIsAPieceOfAFile(int packetSize, int size) throws IOException {
        byte[] body = body(size);
        try (AjpFixture ajp = waiting(packetSize);
                FileChannel file = file(body, 100)) {
            sendFile(ajp, file, 100, size, failed -> ajp.stream().end());
            assertEquals(HEAD + packets(body, packetSize) + AjpFixture.END, ajp.sent());
            assertEquals(0, ajp.connection.channel().buffers().outstanding());
        }
    }

    /** In its first read, in a later one, and in one of a single octet. */
    @ParameterizedTest
    @CsvSource({
        "10, 5",
        "100000, 0",
        "100000, 40000",
        "100000, 60000",
        "100000, 98303",
        "100000, 98304",
        "100000, 99999"
    })
    void failsWhereItsFileIsShorterThanItWas(int announced, int found) throws IOException {
        try (AjpFixture ajp = waiting(8192);
                FileChannel file = file(body(found), 0)) {
            List<@Nullable Throwable> failures = new ArrayList<>();
            sendFile(ajp, file, 0, announced, failures::add);
            assertEquals(1, failures.size());
            assertInstanceOf(EOFException.class, failures.get(0));
            assertEquals(0, ajp.connection.channel().buffers().outstanding());
            ajp.stream().abort(failures.get(0));
            assertFalse(ajp.sent().contains("[END"));
        }
    }

    private static void sendFile(AjpFixture ajp, FileChannel file, long from, long size, Completion completion) {
        Payload piece = new Payload.FileRegion(file, from, size);
        ajp.stream().send(new ResponseHead().contentLength(size), piece, true, completion);
    }

    @Test
    void goesOnWhereTheFrontEndStopped() throws IOException {
        byte[] body = body(200_000);
        try (AjpFixture ajp = waiting(8192);
                FileChannel file = file(body, 0)) {
            ajp.connection.hold();
            sendFile(ajp, file, 0, body.length, failed -> ajp.stream().end());
            assertEquals("", ajp.sent());
            ajp.connection.unhold();
            assertEquals(HEAD + packets(body, 8192) + AjpFixture.END, ajp.sent());
        }
    }

    @Test
    void holdsNothingOfAFileOnceItsFrontEndHasGone() throws IOException {
        try (AjpFixture ajp = waiting(8192);
                FileChannel file = file(body(200_000), 0)) {
            List<@Nullable Throwable> failures = new ArrayList<>();
            ajp.connection.hold();
            sendFile(ajp, file, 0, 200_000, failures::add);
            ajp.connection.breakOff();
            assertEquals(1, failures.size());
            assertTrue(failures.get(0) != null);
        }
    }

    /** Even if the front end reads fast. */
    @Test
    void letsOthersGoFirstWithinALongFile() throws IOException {
        byte[] body = body(2_000_000);
        try (AjpFixture ajp = waiting(8192);
                FileChannel file = file(body, 0)) {
            sendFile(ajp, file, 0, body.length, failed -> ajp.stream().end());
            StringBuilder sent = new StringBuilder();
            int turns = 0;
            do {
                String part = ajp.sent();
                assertTrue(part.length() < 850_000, () -> part.length() + " at once");
                sent.append(part);
                turns++;
            } while (ajp.turns.runOne());
            assertEquals(HEAD + packets(body, 8192) + AjpFixture.END, sent.toString());
            assertEquals(3, turns);
        }
    }

    private static AjpFixture waiting(int packetSize) {
        AjpFixture ajp = new AjpFixture(options -> options.with(PACKET_SIZE, packetSize), false);
        ajp.receive(AjpFixture.get("/a").end());
        return ajp;
    }

    /** Letters, so that its parts can be distinguished. */
    private static byte[] body(int size) {
        byte[] body = new byte[size];
        for (int i = 0; i < size; i++) {
            body[i] = (byte) ('a' + (i / 7 + i) % 26);
        }
        return body;
    }

    private FileChannel file(byte[] body, int from) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(from + body.length).put(from, body);
        return FileChannel.open(Files.write(directory.resolve("file"), all.array()));
    }

    /** The expected packets: of the configured size, but at most 48 KiB. */
    private static String packets(byte[] body, int packetSize) {
        int most = Math.min(packetSize - 8, 49_152);
        StringBuilder packets = new StringBuilder();
        for (int at = 0; at < body.length; at += most) {
            packets.append("[BODY ");
            for (int i = at; i < Math.min(body.length, at + most); i++) {
                packets.append((char) body[i]);
            }
            packets.append(']');
        }
        return packets.toString();
    }
}
