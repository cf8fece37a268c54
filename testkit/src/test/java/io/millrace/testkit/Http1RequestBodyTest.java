package io.millrace.testkit;

import static io.millrace.http1.Http1Options.MAX_SWALLOW_SIZE;
import static io.millrace.protocol.HttpOptions.ALLOWED_TRAILER_HEADERS;
import static io.millrace.testkit.Http1Fixture.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.io.Chunk;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolException;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** With a request's body it … */
class Http1RequestBodyTest {

    @Test
    void handsOnTheChunkThatHoldsJustTheBody() {
        try (Http1Fixture http = new Http1Fixture(
                Http1Fixture.OPTIONS, (request, stream) -> answer(stream, Http1Fixture.readAll(stream)))) {
            http.receive("POST / HTTP/1.1~Host: h~Content-Length: 5~~hello");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 5~~hello", http.sent());
        }
    }

    @Test
    void dropsABodyThatNobodyReads() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("POST /a HTTP/1.1~Host: h~Content-Length: 10~~01234");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/a", http.sent());
            http.receive("56789GET /b HTTP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/b", http.sent());
        }
    }

    @Test
    void closesRatherThanDropALongBody() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS.with(MAX_SWALLOW_SIZE, 9L))) {
            http.receive("POST /a HTTP/1.1~Host: h~Content-Length: 10~~01234");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~Connection: close~~/a", http.sent());
            assertTrue(http.connection.isFinished());
            assertFalse(http.connection.isClosed(), "it lingers");
            http.connection.receiveEnd();
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void closesWhenAChunkedBodyTurnsOutTooLongToDrop() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS.with(MAX_SWALLOW_SIZE, 9L))) {
            http.receive("POST /a HTTP/1.1~Host: h~Transfer-Encoding: chunked~~");
            http.receive("ff~" + "x".repeat(255) + "~");
            assertTrue(http.connection.isFinished());
            http.connection.receiveEnd();
        }
    }

    @Test
    void tellsTheReaderThatTheBodyIsCutOff() {
        try (Http1Fixture http =
                new Http1Fixture(Http1Fixture.OPTIONS, Http1RequestBodyTest::readOrAnswerWhatIsWrong)) {
            http.receive("POST / HTTP/1.1~Host: h~Content-Length: 5~~hel");
            http.connection.receiveEnd();
            assertTrue(http.sent().contains("the end of the input within a request body"));
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void tellsTheReaderWhatIsWrongWithAChunk() {
        try (Http1Fixture http =
                new Http1Fixture(Http1Fixture.OPTIONS, Http1RequestBodyTest::readOrAnswerWhatIsWrong)) {
            http.receive(
                    "POST / HTTP/1.1~Host: h~Transfer-Encoding: chunked~~5~hello~x~GET /smuggled HTTP/1.1~Host: h~~");
            assertTrue(http.sent().contains("a chunk size that is not 1 to 15 hex digits"));
            assertEquals(1, http.requests.size());
            assertTrue(http.connection.isFinished());
            http.connection.receiveEnd();
        }
    }

    @Test
    void tellsTheReaderOfABodyThatItsTimeIsUp() {
        try (Http1Fixture http =
                new Http1Fixture(Http1Fixture.OPTIONS, Http1RequestBodyTest::readOrAnswerWhatIsWrong)) {
            http.receive("POST / HTTP/1.1~Host: h~Content-Length: 5~~hel");
            assertEquals(Duration.ofSeconds(20), http.connection.timeout());
            http.connection.idle();
            assertTrue(http.sent().contains("408: The request's body was rejected"));
            http.connection.receiveEnd();
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void endsWhileSomebodyWaitsForTheBody() {
        List<HttpStream> waiting = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> {
            waiting.add(stream);
            if (request.method().equals("POST")) {
                stream.awaitReadable(() -> {
                    throw new AssertionError("it is over");
                });
            } else {
                answer(stream, "next");
            }
        })) {
            http.receive("POST / HTTP/1.1~Host: h~Content-Length: 5~~");
            answer(waiting.get(0), "no time");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 7~~no time", http.sent());
            http.receive("helloGET / HTTP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 4~~next", http.sent());
        }
    }

    @Test
    void keepsTheTrailersThatAreAllowed() {
        Settings some = Http1Fixture.OPTIONS.with(ALLOWED_TRAILER_HEADERS, Set.of("B"));
        List<Headers> trailers = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(some, (request, stream) -> {
            try {
                Chunk end = stream.read();
                trailers.add(end == null ? new Headers() : Objects.requireNonNull(stream.trailers()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            answer(stream, "ok");
        })) {
            http.receive("POST /a HTTP/1.1~Host: h~Transfer-Encoding: chunked~~0~A: 1~b: 2~A: 3~C: 4~~");
        }
        assertEquals(1, trailers.get(0).size());
        assertEquals("2", trailers.get(0).get("B"));
    }

    private static void readOrAnswerWhatIsWrong(RequestHead request, HttpStream stream) {
        try {
            Chunk chunk = stream.read();
            while (chunk != null && !chunk.isEnd()) {
                chunk.release();
                chunk = stream.read();
            }
            if (chunk == null) {
                stream.awaitReadable(() -> readOrAnswerWhatIsWrong(request, stream));
            } else {
                answer(stream, "fine");
            }
        } catch (ProtocolException e) {
            answer(stream, e.status() + ": " + e.getMessage());
        } catch (IOException e) {
            stream.abort(e);
        }
    }
}
