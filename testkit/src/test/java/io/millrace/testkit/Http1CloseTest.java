package io.millrace.testkit;

import static io.millrace.testkit.Http1Fixture.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.ResponseHead;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a connection ends, it … */
class Http1CloseTest {

    @Test
    void tellsAWaitingExchangeOnceThatItsConnectionClosed() {
        List<@Nullable Throwable> told = new ArrayList<>();
        try (Http1Fixture http =
                new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> stream.onClosed(told::add))) {
            http.receive(Http1Fixture.GET.formatted(1));
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
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> streams.add(stream))) {
            http.receive(Http1Fixture.GET.formatted(1));
            http.connection.run(() -> http.connection.close(null));
            streams.get(0).onClosed(told::add);
            assertEquals(1, told.size());
            assertNull(told.get(0));
        }
    }

    @Test
    void saysNothingToAnExchangeThatIsOver() {
        List<@Nullable Throwable> told = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> {
            stream.onClosed(told::add);
            answer(stream, "done");
        })) {
            http.receive(Http1Fixture.GET.formatted(1));
            http.connection.run(() -> http.connection.close(null));
            assertEquals(0, told.size());
        }
    }

    /** Where its framing shows that it is incomplete, what was sent may still arrive. */
    @Test
    void resetsOnlyWhereTheEndOfTheConnectionIsTheEndOfTheResponse() {
        for (String version : List.of("1.0", "1.1")) {
            try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> {
                Payload some = Payload.of(ByteBuffer.wrap(new byte[] {'s'}));
                stream.send(new ResponseHead(), some, false, failed -> stream.abort(null));
            })) {
                http.receive("GET / HTTP/" + version + "~Host: h~~");
                assertTrue(http.connection.isClosed());
                assertEquals(version.equals("1.0"), http.connection.isReset());
            }
        }
    }

    @Test
    void lingersABoundedWhileAfterARefusal() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
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
    void sendsNoBodyWithTheRefusalOfAHeadRequest() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("HEAD /%zz HTTP/1.1~Host: h~~");
            String sent = http.sent();
            assertTrue(sent.startsWith("HTTP/1.1 400 Bad Request~"), sent);
            assertTrue(sent.contains("~Content-Length: ") && sent.endsWith("~~"), sent);
        }
    }

    @Test
    void answersBeforeItClosesThoughTheClientIsSlow() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.connection.hold();
            http.receive("GET /a HTTP/1.1~Host: h~Connection: close~~");
            assertFalse(http.connection.isClosed());
            http.connection.unhold();
            assertTrue(http.connection.isClosed());
            assertTrue(http.sent().endsWith("/a"));
        }
    }
}
