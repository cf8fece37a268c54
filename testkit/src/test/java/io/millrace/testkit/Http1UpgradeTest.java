package io.millrace.testkit;

import static io.millrace.testkit.Http1Fixture.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ResetReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** To another protocol it … */
class Http1UpgradeTest {

    private static final Duration IDLE = Duration.ofSeconds(7);

    @Test
    void handsOverToAnotherProtocolWithWhatItHasNotRead() {
        StringBuilder seen = new StringBuilder();
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> {
            ResponseHead head = new ResponseHead().status(101);
            head.headers().add("Upgrade", "echo");
            stream.tunnel(head, Duration.ZERO, tunnel -> collect(tunnel, seen));
        })) {
            http.receive("GET /a HTTP/1.1~Host: h~Upgrade: echo~Connection: Upgrade~~first");
            assertEquals("HTTP/1.1 101 Switching Protocols~Upgrade: echo~Connection: Upgrade~~", http.sent());
            http.receive("second");
            assertEquals("firstsecond", seen.toString());
            http.connection.breakOff();
        }
    }

    @Test
    void handsOverAtOnceThoughTheTransportWatches() {
        StringBuilder seen = new StringBuilder();
        List<HttpStream> waiting = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> {
            waiting.add(stream);
            stream.onClosed(cause -> {});
        })) {
            http.receive("GET /a HTTP/1.1~Host: h~Upgrade: echo~Connection: Upgrade~~");
            http.connection.run(() -> waiting.get(0)
                    .tunnel(new ResponseHead().status(101), Duration.ZERO, tunnel -> collect(tunnel, seen)));
            assertTrue(http.sent().startsWith("HTTP/1.1 101 "));
            assertEquals(Duration.ZERO, http.connection.timeout());
            http.receive("second");
            assertEquals("second", seen.toString());
            http.connection.breakOff();
        }
    }

    /** As a WebSocket client does that sends with its handshake, while the handshake waits: for a backend, for example. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void handsOverWhatAClientSentBeforeTheSwitchWasDecided(int pieces) {
        StringBuilder seen = new StringBuilder();
        List<HttpStream> waiting = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> {
            waiting.add(stream);
            stream.onClosed(cause -> {});
        })) {
            http.receive("GET /a HTTP/1.1~Host: h~Upgrade: echo~Connection: Upgrade~~");
            for (int i = 0; i < pieces; i++) {
                http.receive("early,");
            }
            http.connection.run(() -> waiting.get(0)
                    .tunnel(new ResponseHead().status(101), Duration.ZERO, tunnel -> collect(tunnel, seen)));
            assertTrue(http.sent().startsWith("HTTP/1.1 101 "));
            http.receive("late");
            assertEquals("early,".repeat(pieces) + "late", seen.toString());
            assertFalse(http.connection.isClosed());
            http.connection.breakOff();
        }
    }

    @Test
    void doesNotSwitchForAnOldClient() {
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> {
            ResponseHead head = new ResponseHead().status(101);
            assertThrows(IllegalStateException.class, () -> stream.tunnel(head, Duration.ZERO, tunnel -> {}));
            answer(stream, "no");
        })) {
            http.receive("GET /a HTTP/1.0~Upgrade: echo~~");
            assertTrue(http.sent().endsWith("no"));
        }
    }

    @Test
    void cutsATunnelThroughWhichNothingGoes() {
        StringBuilder seen = new StringBuilder();
        List<HttpStream> tunnels = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(
                Http1Fixture.OPTIONS,
                (request, stream) -> stream.tunnel(new ResponseHead().status(101), IDLE, tunnel -> {
                    tunnels.add(tunnel);
                    tunnel.onClosed(cause -> seen.append(reason(cause)));
                    collect(tunnel, seen);
                }))) {
            http.receive("GET /a HTTP/1.1~Host: h~Upgrade: echo~Connection: Upgrade~~");
            assertEquals(IDLE, http.connection.timeout());
            http.connection.run(() -> tunnels.get(0).send(null, Payload.NOTHING, false, Completion.IGNORE));
            http.connection.idle();
            assertEquals("[TIMEOUT]", seen.toString());
            assertTrue(http.connection.isClosed());
        }
    }

    private static String reason(@Nullable Throwable cause) {
        return "[" + ResetReason.of(Objects.requireNonNull(cause)) + "]";
    }

    private static void collect(HttpStream tunnel, StringBuilder seen) {
        try {
            for (Chunk chunk = tunnel.read(); chunk != null; chunk = tunnel.read()) {
                seen.append(StandardCharsets.ISO_8859_1.decode(chunk.bytes()));
                chunk.release();
            }
            tunnel.awaitReadable(() -> collect(tunnel, seen));
        } catch (IOException closed) {
            // nothing more to collect
        }
    }
}
