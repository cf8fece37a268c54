package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.settings.Settings;
import io.millrace.testkit.ScriptedConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Another protocol on a stream (RFC 8441). */
class TunnelTest {

    private final ScriptedConnection connection = new ScriptedConnection();

    @Test
    void carriesOctetsBothWaysToTheirEnd() {
        Http2Protocol protocol = new Http2Protocol(Settings.DEFAULTS, "http");
        connection.run(() -> {
            var handler = protocol.open(connection, null, (request, stream) -> {
                assertEquals("websocket", request.headers().get("Upgrade"));
                stream.tunnel(
                        new ResponseHead().status(101).reason("Switching Protocols"), Duration.ZERO, TunnelTest::echo);
            });
            connection.install(handler);
            handler.onReadable();
        });
        connection.receive(Wire.begun()
                .request(
                        1,
                        false,
                        ":method",
                        "CONNECT",
                        ":protocol",
                        "websocket",
                        ":scheme",
                        "http",
                        ":authority",
                        "a.test",
                        ":path",
                        "/chat")
                .toArray());
        connection.receive(new Wire().data(1, "first", false).toArray());
        connection.receive(new Wire().data(1, "second", true).toArray());
        String sent = new String(connection.sentBytes(), StandardCharsets.ISO_8859_1);
        assertTrue(sent.contains("first"), sent);
        assertTrue(sent.contains("second"), sent);
        byte[] end = new Wire().data(1, "", true).toArray();
        assertTrue(sent.endsWith(new String(end, StandardCharsets.ISO_8859_1)), "ends with END_STREAM");
        assertEquals(0, connection.channel().buffers().outstanding());
    }

    private static void echo(HttpStream tunnel) {
        try {
            Chunk chunk = tunnel.read();
            if (chunk == null) {
                tunnel.awaitReadable(() -> echo(tunnel));
            } else if (chunk.isEnd()) {
                tunnel.send(null, Payload.NOTHING, true, Completion.IGNORE);
                tunnel.end();
            } else {
                tunnel.send(null, Payload.of(chunk.bytes()), false, failed -> {
                    chunk.release();
                    echo(tunnel);
                });
            }
        } catch (IOException e) {
            tunnel.abort(e);
        }
    }
}
