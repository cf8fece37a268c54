package io.millrace.testkit;

import static io.millrace.testkit.Http1Fixture.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http1.ContinueTiming;
import io.millrace.http1.Http1Options;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.ProtocolException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Http1ConnectionTest {

    private static final Http1Options OPTIONS = Http1Options.builder()
            .connectionTimeout(Duration.ofSeconds(20))
            .keepAliveTimeout(Duration.ofSeconds(5))
            .build();
    private static final String GET = "GET /%d HTTP/1.1~Host: h~~";

    // ---- a connection that closes under an exchange

    @Test
    void tellsAWaitingExchangeOnceThatItsConnectionClosed() {
        List<@Nullable Throwable> told = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(OPTIONS, (request, stream) -> stream.onClosed(told::add))) {
            http.receive(GET.formatted(1));
            assertEquals(0, told.size());
            IOException cause = new IOException("the server stops");
            http.connection.run(() -> http.connection.close(cause));
            assertEquals(1, told.size());
            assertSame(cause, told.get(0));
        }
    }

    @Test
    void tellsAnExchangeThatAsksTooLateAtOnce() {
        List<@Nullable Throwable> told = new ArrayList<>();
        List<HttpStream> streams = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(OPTIONS, (request, stream) -> streams.add(stream))) {
            http.receive(GET.formatted(1));
            http.connection.run(() -> http.connection.close(null));
            streams.get(0).onClosed(told::add);
            assertEquals(1, told.size());
            assertNull(told.get(0));
        }
    }

    @Test
    void saysNothingToAnExchangeThatIsOver() {
        List<@Nullable Throwable> told = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(OPTIONS, (request, stream) -> {
            stream.onClosed(told::add);
            answer(stream, "done");
        })) {
            http.receive(GET.formatted(1));
            http.connection.run(() -> http.connection.close(null));
            assertEquals(0, told.size());
        }
    }

    // ---- keep-alive

    @Test
    void keepsAConnectionForTheNextRequest() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/a", http.sent());
            http.receive("GET /b HTTP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/b", http.sent());
            assertFalse(http.connection.isClosed());
        }
    }

    @Test
    void closesWhenTheClientSaysSo() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.receive("GET /a HTTP/1.1~Host: h~Connection: close~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~Connection: close~~/a", http.sent());
            assertTrue(http.connection.isClosed());
            assertNull(http.connection.cause());
        }
    }

    @Test
    void closesAfterAnOldRequestUnlessItAsksToKeep() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
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
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.receive("GET /a HTTP/1.1~Host: h~Connection: keep-alive~~");
            assertEquals(
                    "HTTP/1.1 200 OK~Content-Length: 2~Keep-Alive: timeout=5~Connection: keep-alive~~/a", http.sent());
        }
        try (Http1Fixture http = Http1Fixture.echoingPaths(
                OPTIONS.toBuilder().keepAliveHeader(false).build())) {
            http.receive("GET /a HTTP/1.0~Connection: keep-alive~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~Connection: keep-alive~~/a", http.sent());
        }
    }

    @Test
    void sendsAnErrorInsteadOfAHeadThatIsTooLarge() {
        Http1Options small = OPTIONS.toBuilder().maxHttpResponseHeaderSize(100).build();
        try (Http1Fixture http = new Http1Fixture(small, (request, stream) -> {
            ResponseHead head = new ResponseHead();
            head.headers().add("X", "y".repeat(100));
            stream.send(head, Payload.of(ByteBuffer.wrap(new byte[] {'b'})), true, failed -> stream.end());
        })) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 500 Internal Server Error~Content-Length: 0~Connection: close~~", http.sent());
        }
    }

    @Test
    void asksForTheBodyBeforeTheHandlerDoesIfTold() {
        String upload = "POST /a HTTP/1.1~Host: h~Content-Length: 3~Expect: 100-continue~~";
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.receive(upload);
            assertTrue(http.sent().startsWith("HTTP/1.1 200"));
        }
        Http1Options early =
                OPTIONS.toBuilder().continueTiming(ContinueTiming.IMMEDIATELY).build();
        try (Http1Fixture http = Http1Fixture.echoingPaths(early)) {
            http.receive(upload);
            assertTrue(http.sent().startsWith("HTTP/1.1 100 Continue~~HTTP/1.1 200"));
        }
    }

    @Test
    void keepsTheTrailersThatAreAllowed() {
        Http1Options some =
                OPTIONS.toBuilder().allowedTrailerHeaders(List.of("B")).build();
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

    @Test
    void closesAfterSoManyRequests() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(
                OPTIONS.toBuilder().maxKeepAliveRequests(2).build())) {
            http.receive(GET.repeat(3).formatted(1, 2, 3));
            assertEquals(
                    "HTTP/1.1 200 OK~Content-Length: 2~~/1HTTP/1.1 200 OK~Content-Length: 2~Connection: close~~/2",
                    http.sent());
            assertTrue(http.connection.isFinished());
            http.connection.receiveEnd();
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void servesWhatWasReadBeforeTheProtocolWasKnown() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.receive("~~GET /a HTTP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/a", http.sent());
        }
    }

    // ---- pipelining

    @Test
    void answersPipelinedRequestsWithOneWrite() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.receive(GET.repeat(16).formatted(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
            assertEquals(1, http.connection.writes());
            assertEquals(16, http.requests.size());
            assertTrue(http.sent().endsWith("Content-Length: 3~~/15"));
        }
    }

    @Test
    void sendsTheFirstResponseBeforeItWaitsForTheRestOfTheSecondRequest() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.receive("GET /a HTTP/1.1~Host: h~~GET /b HT");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/a", http.sent());
            http.receive("TP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/b", http.sent());
        }
    }

    @Test
    void sendsTheFirstResponseSoonThoughTheSecondRequestIsSlow() {
        List<HttpStream> slow = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(OPTIONS, (request, stream) -> {
            if (request.path().decoded().equals("/slow")) {
                slow.add(stream);
            } else {
                answer(stream, "fast");
            }
        })) {
            http.receive("GET /fast HTTP/1.1~Host: h~~GET /slow HTTP/1.1~Host: h~~");
            Deadline.await("the guard to flush", () -> http.connection.writes() == 1);
            answer(slow.get(0), "slow");
            assertTrue(http.sent().endsWith("fastHTTP/1.1 200 OK~Content-Length: 4~~slow"));
        }
    }

    @Test
    void servesManyPipelinedRequestsWithoutRecursion() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(
                OPTIONS.toBuilder().maxKeepAliveRequests(-1).build())) {
            http.receive("GET /x HTTP/1.1~Host: h~~".repeat(20_000));
            drainQueue(http);
            assertEquals(20_000, http.requests.size());
        }
    }

    @Test
    void letsOthersHaveTheirTurnAfterManyRequests() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.receive("GET /x HTTP/1.1~Host: h~~".repeat(70));
            assertEquals(64, http.requests.size());
            drainQueue(http);
            assertEquals(70, http.requests.size());
        }
    }

    @Test
    void answersARefusedRequestAfterTheGoodOnesBeforeIt() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.receive("GET /a HTTP/1.1~Host: h~~GET /b HTTP/1.1~~GET /c HTTP/1.1~Host: h~~");
            String sent = http.sent();
            assertTrue(sent.startsWith("HTTP/1.1 200 OK~Content-Length: 2~~/aHTTP/1.1 400 Bad Request~"), sent);
            assertEquals(1, http.requests.size());
            assertEquals(List.of(400), http.refusals);
            http.connection.receiveEnd();
        }
    }

    // ---- bodies

    @Test
    void handsOnTheChunkThatHoldsJustTheBody() {
        try (Http1Fixture http = new Http1Fixture(OPTIONS, (request, stream) -> answer(stream, readAll(stream)))) {
            http.receive("POST / HTTP/1.1~Host: h~Content-Length: 5~~hello");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 5~~hello", http.sent());
        }
    }

    @Test
    void dropsABodyThatNobodyReads() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.receive("POST /a HTTP/1.1~Host: h~Content-Length: 10~~01234");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/a", http.sent());
            http.receive("56789GET /b HTTP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~~/b", http.sent());
        }
    }

    @Test
    void closesRatherThanDropALongBody() {
        try (Http1Fixture http =
                Http1Fixture.echoingPaths(OPTIONS.toBuilder().maxSwallowSize(9).build())) {
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
        try (Http1Fixture http =
                Http1Fixture.echoingPaths(OPTIONS.toBuilder().maxSwallowSize(9).build())) {
            http.receive("POST /a HTTP/1.1~Host: h~Transfer-Encoding: chunked~~");
            http.receive("ff~" + "x".repeat(255) + "~");
            assertTrue(http.connection.isFinished());
            http.connection.receiveEnd();
        }
    }

    @Test
    void tellsTheReaderThatTheBodyIsCutOff() {
        try (Http1Fixture http = new Http1Fixture(OPTIONS, Http1ConnectionTest::readOrAnswerWhatIsWrong)) {
            http.receive("POST / HTTP/1.1~Host: h~Content-Length: 5~~hel");
            http.connection.receiveEnd();
            assertTrue(http.sent().contains("the end of the input within a request body"));
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void tellsTheReaderWhatIsWrongWithAChunk() {
        try (Http1Fixture http = new Http1Fixture(OPTIONS, Http1ConnectionTest::readOrAnswerWhatIsWrong)) {
            http.receive(
                    "POST / HTTP/1.1~Host: h~Transfer-Encoding: chunked~~5~hello~x~GET /smuggled HTTP/1.1~Host: h~~");
            assertTrue(http.sent().contains("a chunk size that is not 1 to 15 hex digits"));
            assertEquals(1, http.requests.size());
            assertTrue(http.connection.isFinished());
            http.connection.receiveEnd();
        }
    }

    @Test
    void doesNotSendContinueWhenTheBodyIsThereAlready() {
        try (Http1Fixture http = new Http1Fixture(OPTIONS, (request, stream) -> answer(stream, readAll(stream)))) {
            http.receive("POST / HTTP/1.1~Host: h~Content-Length: 5~Expect: 100-continue~~hello");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 5~~hello", http.sent());
        }
    }

    @Test
    void closesIfItIsUnknownWhetherTheBodyWillCome() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.receive("POST /a HTTP/1.1~Host: h~Content-Length: 5~Expect: 100-continue~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~Connection: close~~/a", http.sent());
            http.connection.receiveEnd();
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void endsWhileSomebodyWaitsForTheBody() {
        List<HttpStream> waiting = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(OPTIONS, (request, stream) -> {
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

    // ---- time

    @Test
    void closesSilentlyWhenNoRequestComes() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            assertEquals(Duration.ofSeconds(20), http.connection.timeout());
            http.connection.idle();
            assertEquals("", http.sent());
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void closesSilentlyWhenNoFurtherRequestComes() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
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
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
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
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.receive("GET ");
            Duration first = http.connection.timeout();
            http.receive("/");
            Duration second = http.connection.timeout();
            assertTrue(second.compareTo(first) < 0, second + " is not less than " + first);
            http.connection.receiveEnd();
        }
    }

    @Test
    void tellsTheReaderOfABodyThatItsTimeIsUp() {
        try (Http1Fixture http = new Http1Fixture(OPTIONS, Http1ConnectionTest::readOrAnswerWhatIsWrong)) {
            http.receive("POST / HTTP/1.1~Host: h~Content-Length: 5~~hel");
            assertEquals(Duration.ofSeconds(20), http.connection.timeout());
            http.connection.idle();
            assertTrue(http.sent().contains("408: The request's body was refused"));
            http.connection.receiveEnd();
            assertTrue(http.connection.isClosed());
        }
    }

    // ---- the end

    @Test
    void lingersABoundedWhileAfterARefusal() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.receive("nonsense\n");
            assertTrue(http.sent().startsWith("HTTP/1.1 400 Bad Request~"));
            assertTrue(http.connection.isFinished());
            for (int i = 0; i < 100 && !http.connection.isClosed(); i++) {
                http.receive("x".repeat(16_000));
            }
            assertTrue(http.connection.isClosed(), "it lingers for ever");
        }
    }

    @Test
    void answersBeforeItClosesThoughTheClientIsSlow() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.connection.hold();
            http.receive("GET /a HTTP/1.1~Host: h~Connection: close~~");
            assertFalse(http.connection.isClosed());
            http.connection.unhold();
            assertTrue(http.connection.isClosed());
            assertTrue(http.sent().endsWith("/a"));
        }
    }

    @Test
    void closesAnIdleConnectionWhenToldToDrain() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.connection.drain();
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void finishesARunningRequestWhenToldToDrain() {
        List<HttpStream> running = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(OPTIONS, (request, stream) -> running.add(stream))) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            http.connection.drain();
            assertFalse(http.connection.isClosed());
            answer(running.get(0), "done");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 4~Connection: close~~done", http.sent());
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void closesWhenAnExchangeEndsWithoutAWholeResponse() {
        try (Http1Fixture http = new Http1Fixture(OPTIONS, (request, stream) -> stream.end())) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertTrue(http.connection.isClosed());
            assertInstanceOf(IllegalStateException.class, http.connection.cause());
        }
    }

    @Test
    void failsAWriteWhoseClientIsGone() {
        List<@Nullable Throwable> failures = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(
                OPTIONS,
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

    // ---- payloads

    @Test
    void sendsAFileAfterTheHead(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "0123456789");
        try (FileChannel channel = FileChannel.open(file);
                Http1Fixture http = new Http1Fixture(OPTIONS, (request, stream) -> {
                    Payload piece = new Payload.FileRegion(channel, 2, 5);
                    stream.send(new ResponseHead(), piece, true, failed -> stream.end());
                })) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 5~~23456", http.sent());
        }
    }

    @Test
    void writesALargeBodyTogetherWithItsHead() {
        try (Http1Fixture http = new Http1Fixture(OPTIONS, (request, stream) -> {
            Payload body = Payload.of(
                    ByteBuffer.wrap("x".repeat(100_000).getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
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
                OPTIONS,
                (request, stream) -> stream.send(new ResponseHead(), Payload.NOTHING, false, new Many(stream)))) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertTrue(http.sent().endsWith("~1~x~0~~"));
        }
    }

    // ---- other protocols

    @Test
    void handsOverToAnotherProtocolWithWhatItHasNotRead() {
        StringBuilder seen = new StringBuilder();
        try (Http1Fixture http = new Http1Fixture(OPTIONS, (request, stream) -> {
            ResponseHead head = new ResponseHead().status(101);
            head.headers().add("Upgrade", "echo");
            stream.switchTo(head, new Collecting(seen));
        })) {
            http.receive("GET /a HTTP/1.1~Host: h~Upgrade: echo~Connection: Upgrade~~first");
            assertEquals("HTTP/1.1 101 Switching Protocols~Upgrade: echo~Connection: Upgrade~~", http.sent());
            http.receive("second");
            assertEquals("firstsecond", seen.toString());
            http.connection.breakOff();
        }
    }

    @Test
    void doesNotSwitchForAnOldClient() {
        try (Http1Fixture http = new Http1Fixture(OPTIONS, (request, stream) -> {
            ResponseHead head = new ResponseHead().status(101);
            assertThrows(IllegalStateException.class, () -> stream.switchTo(head, new Collecting(new StringBuilder())));
            answer(stream, "no");
        })) {
            http.receive("GET /a HTTP/1.0~Upgrade: echo~~");
            assertTrue(http.sent().endsWith("no"));
        }
    }

    @Test
    void holdsNothingWhileAHeadIsPartial() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(OPTIONS)) {
            http.receive("GET /a HT");
            assertEquals(0, http.connection.buffers().outstanding());
            http.connection.receiveEnd();
        }
    }

    @Test
    void holdsNoChunkWhileARequestWithoutBodyIsServed() {
        List<Integer> held = new ArrayList<>();
        List<HttpStream> running = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(OPTIONS, (request, stream) -> {
            held.add(stream.buffers().outstanding());
            running.add(stream);
        })) {
            http.receive("GET /a HTTP/1.1~Host: h~~");
            assertEquals(List.of(0), held);
            answer(running.get(0), "x");
        }
    }

    private static void drainQueue(Http1Fixture http) {
        for (Runnable next = http.queued.poll(); next != null; next = http.queued.poll()) {
            next.run();
        }
    }

    private static String readAll(HttpStream stream) {
        try {
            StringBuilder body = new StringBuilder();
            for (Chunk chunk = stream.read(); chunk != null && !chunk.isEnd(); chunk = stream.read()) {
                body.append(java.nio.charset.StandardCharsets.ISO_8859_1.decode(chunk.bytes()));
                chunk.release();
            }
            return body.toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
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

    /** A protocol that collects what it gets. */
    private record Collecting(StringBuilder seen) implements Protocol {
        @Override
        public String id() {
            return "collecting";
        }

        @Override
        public Match match(ByteBuffer prefix) {
            return Match.NO;
        }

        @Override
        public ConnectionHandler open(Connection connection, @Nullable Chunk unread, Dispatcher dispatcher) {
            if (unread != null) {
                take(unread);
            }
            return new Probe(connection).onReadable(probe -> {
                for (Chunk chunk = probe.read(); chunk != null; chunk = probe.read()) {
                    take(chunk);
                }
                connection.awaitReadable();
            });
        }

        private void take(Chunk chunk) {
            seen.append(java.nio.charset.StandardCharsets.ISO_8859_1.decode(chunk.bytes()));
            chunk.release();
        }
    }
}
