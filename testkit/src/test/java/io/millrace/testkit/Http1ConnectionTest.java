package io.millrace.testkit;

import static io.millrace.testkit.Http1Fixture.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.protocol.HttpStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** It … */
class Http1ConnectionTest {

    @Test
    void servesWhatWasReadBeforeTheProtocolWasKnown() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("~~GET /a HTTP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/a", http.sent());
        }
    }

    @Test
    void holdsNothingWhileAHeadIsPartial() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("GET /a HT");
            assertEquals(0, http.connection.channel().buffers().outstanding());
            http.connection.receiveEnd();
        }
    }

    @Test
    void holdsNoChunkWhileARequestWithoutBodyIsServed() {
        List<Integer> held = new ArrayList<>();
        List<HttpStream> running = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> {
            held.add(stream.channel().buffers().outstanding());
            running.add(stream);
        })) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertEquals(List.of(0), held);
            answer(running.get(0), "x");
        }
    }
}
