package io.millrace.testkit;

import static io.millrace.http1.Http1Options.MAX_KEEP_ALIVE_REQUESTS;
import static io.millrace.testkit.Http1Fixture.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.HttpStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With several requests at once it … */
class Http1PipeliningTest {

    @Test
    void answersPipelinedRequestsWithOneWrite() {
        int writes = answerPipelinedRequests();
        // The guard writes what has waited for a millisecond, which a busy machine can take for sixteen requests.
        for (int again = 0; writes > 1 && again < 100; again++) {
            writes = answerPipelinedRequests();
        }
        assertEquals(1, writes);
    }

    /** The number of writes. */
    private static int answerPipelinedRequests() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive(Http1Fixture.GET.repeat(16).formatted(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
            assertEquals(16, http.requests.size());
            Deadline.await("the last response", () -> http.sent().endsWith("Content-Length: 3~~/15"));
            return http.connection.writes();
        }
    }

    @Test
    void sendsTheFirstResponseBeforeItWaitsForTheRestOfTheSecondRequest() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("GET /a HTTP/1.1~Host: h~~GET /b HT");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/a", http.sent());
            http.receive("TP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/b", http.sent());
        }
    }

    @Test
    void sendsTheFirstResponseSoonThoughTheSecondRequestIsSlow() {
        List<HttpStream> slow = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> {
            if (request.path().decoded().equals("/slow")) {
                slow.add(stream);
            } else {
                answer(stream, "fast");
            }
        })) {
            http.receive("GET /fast HTTP/1.1~Host: h~~GET /slow HTTP/1.1~Host: h~~");
            Deadline.await("the guard to flush", () -> http.connection.sent().endsWith("fast"));
            answer(slow.get(0), "slow");
            Deadline.await(
                    "its thread to send the rest, if it has not done yet",
                    () -> http.connection.sent().endsWith("slow"));
            assertTrue(http.sent().endsWith("fastHTTP/1.1 200 OK~Content-Length: 4~~slow"));
        }
    }

    @Test
    void sendsWhatItHasAnsweredThoughABodyThatNobodyReadIsMalformed() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("GET /a HTTP/1.1~Host: h~~POST /b HTTP/1.1~Host: h~Transfer-Encoding: chunked~~zz~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/aHTTP/1.1 200 OK~Content-Length: 2~~/b", http.sent());
            http.connection.receive("GET /c HTTP/1.1\r\nHost: h\r\n\r\n");
            assertEquals(2, http.requests.size(), "where it ends, nobody knows");
        }
    }

    @Test
    void servesManyPipelinedRequestsWithoutRecursion() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS.with(MAX_KEEP_ALIVE_REQUESTS, -1))) {
            http.receive("GET /x HTTP/1.1~Host: h~~".repeat(20_000));
            Deadline.await("all requests, of which a timer may send some answers", () -> {
                http.turns.runAll();
                return http.requests.size() == 20_000;
            });
        }
    }

    @Test
    void letsOthersHaveTheirTurnAfterManyRequests() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("GET /x HTTP/1.1~Host: h~~".repeat(70));
            assertEquals(64, http.requests.size());
            http.turns.runAll();
            assertEquals(70, http.requests.size());
        }
    }

    @Test
    void letsOthersGoFirstWhereLookingForTheNextRequestTooEarlyCosts() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.connection.chargeForEmptyReads();
            http.turns.haveOthersWait();
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertTrue(http.sent().endsWith("/a"));
            http.receive("GET /b HTTP/1.1~Host: h~~");
            assertEquals(1, http.requests.size());
            http.turns.runAll();
            assertTrue(http.sent().endsWith("/b"));
        }
    }

    @Test
    void waitsForTheNextRequestAtOnceWhereThatCostsNothing() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.turns.haveOthersWait();
            http.receive("GET /a HTTP/1.1~Host: h~~");
            http.receive("GET /b HTTP/1.1~Host: h~~");
            assertEquals(2, http.requests.size());
        }
    }

    @Test
    void answersARefusedRequestAfterTheGoodOnesBeforeIt() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("GET /a HTTP/1.1~Host: h~~GET /b HTTP/1.1~~GET /c HTTP/1.1~Host: h~~");
            String sent = http.sent();
            assertTrue(sent.startsWith("HTTP/1.1 200 OK~Content-Length: 2~~/aHTTP/1.1 400 Bad Request~"), sent);
            assertEquals(1, http.requests.size());
            assertEquals(List.of(400), http.refusals);
            http.connection.receiveEnd();
        }
    }
}
