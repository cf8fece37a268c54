package io.millrace.testkit;

import static io.millrace.testkit.Http1Fixture.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.Protocol;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** To another protocol it … */
class Http1UpgradeTest {

    @Test
    void handsOverToAnotherProtocolWithWhatItHasNotRead() {
        StringBuilder seen = new StringBuilder();
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> {
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
    void handsOverAsSoonAsTheTransportHasGivenTheConnectionBack() {
        StringBuilder seen = new StringBuilder();
        List<HttpStream> waiting = new ArrayList<>();
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> {
            waiting.add(stream);
            stream.onClosed(cause -> {});
        })) {
            http.receive("GET /a HTTP/1.1~Host: h~Upgrade: echo~Connection: Upgrade~~");
            http.connection.run(() -> waiting.get(0).switchTo(new ResponseHead().status(101), new Collecting(seen)));
            assertTrue(http.sent().startsWith("HTTP/1.1 101 "));
            http.connection.idle();
            assertEquals(Http1Fixture.OPTIONS.connectionTimeout(), http.connection.timeout());
            http.receive("second");
            assertEquals("second", seen.toString());
            http.connection.breakOff();
        }
    }

    @Test
    void doesNotSwitchForAnOldClient() {
        try (Http1Fixture http = new Http1Fixture(Http1Fixture.OPTIONS, (request, stream) -> {
            ResponseHead head = new ResponseHead().status(101);
            assertThrows(IllegalStateException.class, () -> stream.switchTo(head, new Collecting(new StringBuilder())));
            answer(stream, "no");
        })) {
            http.receive("GET /a HTTP/1.0~Upgrade: echo~~");
            assertTrue(http.sent().endsWith("no"));
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
            seen.append(StandardCharsets.ISO_8859_1.decode(chunk.bytes()));
            chunk.release();
        }
    }
}
