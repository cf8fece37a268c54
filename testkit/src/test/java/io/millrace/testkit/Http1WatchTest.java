package io.millrace.testkit;

import static io.millrace.protocol.HttpOptions.ALLOW_HALF_CLOSE;
import static io.millrace.testkit.Http1Fixture.OPTIONS;
import static io.millrace.testkit.Http1Fixture.answer;
import static io.millrace.testkit.Http1Fixture.readAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** While an exchange waits for something else than its stream, the connection … */
class Http1WatchTest {

    private final List<HttpStream> waiting = new ArrayList<>();
    private int gone;

    private Http1Fixture serve(Settings options) {
        return new Http1Fixture(options, (request, stream) -> {
            waiting.add(stream);
            stream.onClosed(cause -> gone++);
        });
    }

    @Test
    void tellsThatTheClientIsGone() {
        try (Http1Fixture http = serve(OPTIONS)) {
            http.receive(String.format(Http1Fixture.GET, 1));
            assertTrue(http.connection.isAwaiting());
            http.connection.breakOff();
            assertEquals(1, gone);
        }
    }

    @Test
    void takesAnEndOfTheClientsOutputForNoDeparture() {
        try (Http1Fixture http = serve(OPTIONS)) {
            http.receive(String.format(Http1Fixture.GET, 1));
            http.connection.receiveEnd();
            assertEquals(0, gone);
            assertFalse(http.connection.isAwaiting());
            answer(waiting.get(0), "answered");
            assertTrue(http.sent().endsWith("answered"));
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void treatsAHalfCloseAsADisconnectSoonAfterADrainBegan() {
        try (Http1Fixture http = serve(OPTIONS)) {
            http.receive(String.format(Http1Fixture.GET, 1));
            http.connection.receiveEnd();
            http.connection.drain();
            assertFalse(http.connection.isClosed(), "it may be answered yet");
            Deadline.await("the client to be taken for gone", http.connection::isClosed);
        }
    }

    @Test
    void takesItForOneIfToldSo() {
        try (Http1Fixture http = serve(OPTIONS.with(ALLOW_HALF_CLOSE, false))) {
            http.receive(String.format(Http1Fixture.GET, 1));
            http.connection.receiveEnd();
            assertEquals(1, gone);
            assertTrue(http.connection.isClosed());
        }
    }

    /** While a response waits for its client, nobody waits for input otherwise. */
    @Test
    void noticesTheEndOfAClientThatTakesNoMoreOfItsResponse() {
        for (boolean gone : List.of(false, true)) {
            try (Http1Fixture http = new Http1Fixture(
                    OPTIONS.with(ALLOW_HALF_CLOSE, !gone), (request, stream) -> answer(stream, "x".repeat(20_000)))) {
                http.connection.hold();
                http.receive(String.format(Http1Fixture.GET, 1));
                assertTrue(http.connection.isAwaiting(), "it watches");
                assertNull(http.connection.writeLimit());
                http.connection.receiveEnd();
                assertEquals(gone, http.connection.isClosed());
                assertNotNull(http.connection.writeLimit());
                http.connection.unhold();
                assertTrue(http.connection.isClosed());
                assertEquals(!gone, http.sent().endsWith("x"), "who goes on receiving gets all of it");
            }
        }
    }

    @Test
    void servesWhatAClientSendsWhileItTakesNoMoreOfItsResponse() {
        try (Http1Fixture http = new Http1Fixture(
                OPTIONS, (request, stream) -> answer(stream, request.path().decoded() + "x".repeat(20_000)))) {
            http.connection.hold();
            http.receive(String.format(Http1Fixture.GET, 1));
            http.receive("GET /2 HTTP/1.1~Ho");
            http.receive("st: h~~");
            assertEquals(1, http.requests.size());
            http.connection.unhold();
            assertEquals(2, http.requests.size());
            assertTrue(http.connection.isAwaiting());
            http.receive(String.format(Http1Fixture.GET, 3));
            assertEquals(3, http.requests.size());
            assertNull(http.connection.writeLimit());
            http.connection.breakOff();
        }
    }

    @Test
    void goesOnWatchingWhenNothingComesInTime() {
        try (Http1Fixture http = serve(OPTIONS)) {
            http.receive(String.format(Http1Fixture.GET, 1));
            http.connection.idle();
            assertTrue(http.connection.isAwaiting());
            assertEquals(0, gone);
            answer(waiting.get(0), "answered");
            assertEquals(ProtocolOptions.keepAliveTimeout(OPTIONS), http.connection.timeout());
            http.connection.idle();
            assertTrue(http.connection.isFinished());
            http.connection.receiveEnd();
            assertTrue(http.connection.isClosed());
        }
    }

    @Test
    void stopsReadingWhenItKeepsEnough() {
        try (Http1Fixture http = serve(OPTIONS)) {
            http.receive("POST / HTTP/1.1~Host: h~Content-Length: 20000~~");
            http.receive("x".repeat(3000));
            assertTrue(http.connection.isAwaiting());
            http.receive("y".repeat(6000));
            assertFalse(http.connection.isAwaiting());
            http.receive("z".repeat(11_000));
            assertFalse(http.connection.isInputRead());
            assertEquals("x".repeat(3000) + "y".repeat(6000) + "z".repeat(11_000), readAll(waiting.get(0)));
            answer(waiting.get(0), "answered");
            assertTrue(http.sent().endsWith("answered"));
            assertTrue(http.connection.isAwaiting());
            http.connection.breakOff();
        }
    }

    @Test
    void servesTheRequestsThatCameMeanwhile() {
        try (Http1Fixture http = serve(OPTIONS)) {
            http.receive("POST / HTTP/1.1~Host: h~Content-Length: 3~~a");
            http.receive("bcGET /2 HTTP/1.1~Host");
            http.receive(": h~~");
            assertEquals(1, waiting.size());
            assertEquals("abc", readAll(waiting.get(0)));
            answer(waiting.get(0), "first");
            answer(waiting.get(1), "second");
            String sent = http.sent();
            assertTrue(sent.contains("first") && sent.endsWith("second"), sent);
            assertEquals("/2", http.requests.get(1).path().decoded());
            http.connection.breakOff();
            assertEquals(0, gone);
        }
    }

    @Test
    void canBeWaitedForABodyThatIsStillToCome() {
        try (Http1Fixture http = serve(OPTIONS)) {
            http.receive("POST / HTTP/1.1~Host: h~Content-Length: 3~~");
            StringBuilder body = new StringBuilder();
            HttpStream stream = waiting.get(0);
            assertEquals("", readAll(stream));
            stream.awaitReadable(() -> body.append(readAll(stream)));
            http.receive("abc");
            assertEquals("abc", body.toString());
            http.connection.breakOff();
        }
    }
}
