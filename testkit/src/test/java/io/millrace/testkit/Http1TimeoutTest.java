package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
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
}
