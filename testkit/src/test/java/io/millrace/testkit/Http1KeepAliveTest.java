package io.millrace.testkit;

import static io.millrace.http1.Http1Options.KEEP_ALIVE_HEADER;
import static io.millrace.http1.Http1Options.MAX_KEEP_ALIVE_REQUESTS;
import static io.millrace.testkit.Http1Fixture.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.ConnectionHandler;
import io.millrace.protocol.HttpStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A connection after a response … */
class Http1KeepAliveTest {

    @Test
    void keepsAConnectionForTheNextRequest() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/a", http.sent());
            http.receive("GET /b HTTP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/b", http.sent());
            assertFalse(http.connection.isClosed());
        }
    }

    @Test
    void closesWhenTheClientSaysSo() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("GET /a HTTP/1.1~Host: h~Connection: close~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~Connection: close~~/a", http.sent());
            assertTrue(http.connection.isClosed());
            assertNull(http.connection.cause());
        }
    }

    @Test
    void closesAfterAnOldRequestUnlessItAsksToKeep() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("GET /a HTTP/1.0~Connection: keep-alive~~");
            assertEquals(
                    "HTTP/1.1 200 OK~Content-Length: 2~Keep-Alive: timeout=5~Connection: keep-alive~~/a", http.sent());
            http.receive("GET /b HTTP/1.0~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~Connection: close~~/b", http.sent());
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void tellsAClientThatAsksForKeepAliveHowLong() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("GET /a HTTP/1.1~Host: h~Connection: keep-alive~~");
            assertEquals(
                    "HTTP/1.1 200 OK~Content-Length: 2~Keep-Alive: timeout=5~Connection: keep-alive~~/a", http.sent());
        }
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS.with(KEEP_ALIVE_HEADER, false))) {
            http.receive("GET /a HTTP/1.0~Connection: keep-alive~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~Connection: keep-alive~~/a", http.sent());
        }
    }

    @Test
    void closesAfterSoManyRequests() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS.with(MAX_KEEP_ALIVE_REQUESTS, 2))) {
            http.receive(Http1Fixture.GET.repeat(3).formatted(1, 2, 3));
            assertEquals(
                    "HTTP/1.1 200 OK~Content-Length: 2~~/1HTTP/1.1 200 OK~Content-Length: 2~Connection: close~~/2",
                    http.sent());
            assertTrue(http.connection.isFinished());
            http.connection.receiveEnd();
            assertTrue(http.connection.isClosed());
        }
    }

    /** In order: what crosses the end on its way is not answered, but its client is not reset either. */
    @Test
    void closesAnIdleConnectionWhenToldToDrain() {
        for (String used : List.of("", "GET /a HTTP/1.1~Host: h~~")) {
            try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
                http.receive(used);
                http.sent();
                http.connection.drain();
                assertTrue(http.connection.isFinished());
                assertFalse(http.connection.isClosed());
                assertTrue(http.connection.timeout().compareTo(ConnectionHandler.DRAIN_LIMIT) < 0);
                http.receive("GET /late HTTP/1.1~Host: h~~");
                assertEquals("", http.sent());
                http.connection.idle();
                assertTrue(http.connection.isClosed());
                assertNull(http.connection.cause());
            }
        }
    }

    @Test
    void waitsAtMostASecondForAPartialHeadWhenDraining() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("G");
            http.connection.drain();
            assertFalse(http.connection.isClosed());
            assertTrue(http.connection.timeout().compareTo(ConnectionHandler.DRAIN_LIMIT) <= 0);
            http.connection.idle();
            assertTrue(http.sent().startsWith("HTTP/1.1 408 Request Timeout~"));
            http.connection.receiveEnd();
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void servesAHeadThatIsWholeSoonAfterItWasToldToDrain() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("GET /a HTTP/1.1~");
            http.connection.drain();
            http.receive("Host: h~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~Connection: close~~/a", http.sent());
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void doesNotWaitForAnUnreadBodyWhenDraining() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("POST /a HTTP/1.1~Host: h~Content-Length: 9~~1234");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/a", http.sent());
            http.connection.drain();
            assertTrue(http.connection.isFinished());
            http.connection.receiveEnd();
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void finishesARunningRequestWhenToldToDrain() {
        List<HttpStream> running = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> running.add(stream))) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            http.connection.drain();
            assertFalse(http.connection.isClosed());
            answer(running.get(0), "done");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 4~Connection: close~~done", http.sent());
            assertTrue(http.connection.isClosed());
        }
    }
}
