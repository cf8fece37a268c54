package io.millrace.testkit;

import static io.millrace.protocol.HttpOptions.MAX_RESPONSE_HEADER_SIZE;
import static io.millrace.protocol.HttpOptions.SERVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.ResponseHead;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A response … */
class Http1ResponseTest {

    @Test
    void sendsAnErrorInsteadOfAHeadThatIsTooLarge() {
        Settings small = Http1Fixture.OPTIONS.with(MAX_RESPONSE_HEADER_SIZE, 100);
        try (Http1Fixture http = new Http1Fixture(small, (request, stream) -> {
            ResponseHead head = new ResponseHead();
            head.headers().add("X", "y".repeat(100));
            stream.send(head, Payload.of(ByteBuffer.wrap(new byte[] {'b'})), true, failed -> stream.end());
        })) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 500 Internal Server Error~Content-Length: 0~Connection: close~~", http.sent());
        }
    }

    /** Tomcat's: who names a server, hides what an application would tell. */
    @Test
    void hasTheConnectorsServerFieldElseTheApplications() {
        Settings named = Http1Fixture.OPTIONS.with(SERVER, "Mine");
        assertEquals("HTTP/1.1 200 OK~X: y~Server: Mine~Content-Length: 0~~", answerOfAServer(named));
        assertEquals("HTTP/1.1 200 OK~Server: App/1.0~X: y~Content-Length: 0~~", answerOfAServer(Http1Fixture.OPTIONS));
    }

    private static String answerOfAServer(Settings options) {
        try (Http1Fixture http = new Http1Fixture(options, (request, stream) -> {
            ResponseHead head = new ResponseHead();
            head.headers().add("Server", "App/1.0").add("X", "y");
            stream.send(head, Payload.NOTHING, true, failed -> stream.end());
        })) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            return http.sent();
        }
    }

    @Test
    void closesWhenAnExchangeEndsWithoutAWholeResponse() {
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> stream.end())) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertTrue(http.connection.isClosed());
            assertInstanceOf(IllegalStateException.class, http.connection.cause());
        }
    }

    @Test
    void failsAWriteWhoseClientIsGone() {
        List<@Nullable Throwable> failures = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(
                Http1Fixture.OPTIONS,
                (request, stream) -> stream.send(
                        new ResponseHead(), Payload.of(ByteBuffer.allocate(20_000)), true, failures::add))) {
            http.connection.hold();
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertEquals(0, failures.size());
            http.connection.breakOff();
            assertEquals(1, failures.size());
            assertNotNull(failures.get(0));
        }
    }

    @Test
    void sendsAFileAfterTheHead(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "0123456789");
        try (FileChannel channel = FileChannel.open(file);
                Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> {
                    Payload piece = new Payload.FileRegion(channel, 2, 5);
                    stream.send(new ResponseHead(), piece, true, failed -> stream.end());
                })) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 5~~23456", http.sent());
        }
    }

    @Test
    void writesALargeBodyTogetherWithItsHead() {
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> {
            Payload body = Payload.of(ByteBuffer.wrap("x".repeat(100_000).getBytes(StandardCharsets.US_ASCII)));
            stream.send(new ResponseHead(), body, true, failed -> stream.end());
        })) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertEquals(1, http.connection.writes());
            assertEquals("HTTP/1.1 200 OK~Content-Length: 100000~~" + "x".repeat(100_000), http.sent());
        }
    }

    @Test
    void goesOnWithoutRecursionHoweverManyPiecesAResponseHas() {
        class Many implements Completion {
            private int left = 100_000;
            private final HttpStream stream;

            Many(HttpStream stream) {
                this.stream = stream;
            }

            @Override
            public void done(@Nullable Throwable failure) {
                if (left < 0) {
                    stream.end();
                    return;
                }
                left--;
                stream.send(null, Payload.of(ByteBuffer.wrap(new byte[] {'x'})), left < 0, this);
            }
        }
        try (Http1Fixture http = new Http1Fixture(
                Http1Fixture.OPTIONS,
                (request, stream) -> stream.send(new ResponseHead(), Payload.NOTHING, false, new Many(stream)))) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertTrue(http.sent().endsWith("~1~x~0~~"));
        }
    }
}
