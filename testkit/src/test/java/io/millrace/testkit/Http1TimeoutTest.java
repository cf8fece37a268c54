package io.millrace.testkit;

import static io.millrace.http1.Http1Options.UPLOAD_TIMEOUT;
import static io.millrace.protocol.HttpOptions.MIN_UPLOAD_RATE;
import static io.millrace.protocol.HttpOptions.MIN_UPLOAD_RATE_GRACE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Chunk;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolException;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With a slow client it … */
class Http1TimeoutTest {

    @Test
    void closesSilentlyWhenNoRequestComes() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            assertEquals(Duration.ofSeconds(20), http.connection.timeout());
            http.connection.idle();
            assertEquals("", http.sent());
            assertTrue(http.connection.isFinished());
            http.connection.receiveEnd();
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void closesSilentlyWhenNoFurtherRequestComes() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            http.sent();
            assertEquals(Duration.ofSeconds(5), http.connection.timeout());
            http.connection.idle();
            assertEquals("", http.sent());
            assertTrue(http.connection.isFinished());
            http.connection.receiveEnd();
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void refusesAHeadThatDoesNotArriveInTime() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("GET /a HT");
            http.connection.idle();
            assertTrue(http.sent().startsWith("HTTP/1.1 408 Request Timeout~"));
            assertEquals(List.of(408), http.refusals);
            http.connection.receiveEnd();
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void doesNotGiveMoreTimeForEachByteOfAHead() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("GET ");
            Duration first = http.connection.timeout();
            http.receive("/");
            Duration second = http.connection.timeout();
            assertTrue(second.compareTo(first) < 0, second + " is not less than " + first);
            http.connection.receiveEnd();
        }
    }

    @Test
    void doesNotExtendTheTimeoutForEmptyLines() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            http.sent();
            http.receive("~");
            Duration first = http.connection.timeout();
            http.receive("~");
            Duration second = http.connection.timeout();
            assertTrue(first.compareTo(Duration.ofSeconds(5)) <= 0, first + " is more than keepAliveTimeout");
            assertTrue(second.compareTo(first) < 0, second + " is not less than " + first);
            http.connection.idle();
            assertEquals("", http.sent());
            assertTrue(http.connection.isFinished());
            http.connection.receiveEnd();
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void countsEmptyLinesThatComeOneByOne() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            for (int i = 0; i < 5; i++) {
                http.receive("~");
            }
            assertTrue(http.sent().startsWith("HTTP/1.1 400 "));
            http.connection.receiveEnd();
        }
    }

    @Test
    void servesARequestBehindAnEmptyLine() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("~");
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertTrue(http.sent().endsWith("~~/a"));
        }
    }

    @Test
    void givesABodyUpThatComesTooSlowly() {
        Settings options = Settings.DEFAULTS
                .with(UPLOAD_TIMEOUT, Duration.ofMillis(1))
                .with(MIN_UPLOAD_RATE_GRACE, Duration.ZERO)
                .with(MIN_UPLOAD_RATE, 1_000_000_000);
        List<String> problems = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(options, (request, stream) -> readOn(stream, problems))) {
            http.receive("POST / HTTP/1.1~Host: h~Content-Length: 10~~");
            spin(Duration.ofMillis(3));
            http.receive("a");
            assertEquals(List.of("408 minUploadRate"), problems);
            assertEquals(1, http.connection.limits().times(Limit.UPLOAD_RATE));
        }
    }

    @Test
    void toleratesAPauseInABodyThatIsFastEnough() {
        Settings options =
                Settings.DEFAULTS.with(UPLOAD_TIMEOUT, Duration.ofHours(1)).with(MIN_UPLOAD_RATE, 1);
        List<String> problems = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(options, (request, stream) -> readOn(stream, problems))) {
            http.receive("POST / HTTP/1.1~Host: h~Content-Length: 3~~");
            for (int i = 0; i < 3; i++) {
                spin(Duration.ofMillis(3));
                http.receive("a");
            }
            assertEquals(List.of("whole"), problems);
        }
    }

    /** Reads to the end, whenever there is something. */
    private static void readOn(HttpStream stream, List<String> problems) {
        try {
            Chunk chunk = stream.read();
            while (chunk != null && !chunk.isEnd()) {
                chunk.release();
                chunk = stream.read();
            }
            if (chunk == null) {
                stream.awaitReadable(() -> readOn(stream, problems));
            } else {
                problems.add("whole");
            }
        } catch (ProtocolException refused) {
            boolean named = String.valueOf(refused.getMessage()).contains("minUploadRate,");
            problems.add(refused.status() + (named ? " minUploadRate" : " unnamed"));
        } catch (IOException broken) {
            problems.add(broken.toString());
        }
    }

    private static void spin(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }
}
