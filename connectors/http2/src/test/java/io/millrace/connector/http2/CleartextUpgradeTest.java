package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolChooser;
import io.millrace.settings.Settings;
import io.millrace.testkit.DripConnection;
import io.millrace.testkit.ScriptedConnection;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Upgrades from HTTP/1.1 to HTTP/2, on a port that accepts both (RFC 7540, 3.2). */
class CleartextUpgradeTest {

    private static final String ASKS = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n";
    private static final String SWITCHED =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n";

    private final ScriptedConnection connection = new ScriptedConnection();
    private final List<RequestHead> requests = new ArrayList<>();

    private void open(boolean dripping) {
        ProtocolChooser chooser = new ProtocolChooser(
                List.of(new Http2Protocol(Settings.DEFAULTS, "http"), new Http1Protocol(Settings.DEFAULTS, "http")),
                Duration.ofSeconds(20));
        Dispatcher answer = (request, stream) -> {
            requests.add(request);
            stream.send(new ResponseHead(), Payload.of(ByteBuffer.wrap(new byte[50])), true, failure -> end(stream));
        };
        connection.run(() -> {
            Connection top = dripping ? new DripConnection(connection) : connection;
            chooser.open(top, answer);
        });
    }

    private static void end(HttpStream stream) {
        stream.end();
    }

    @AfterEach
    void nothingIsHeld() {
        connection.breakOff();
        assertEquals(0, connection.channel().buffers().outstanding());
    }

    private String sent() {
        return new String(connection.sentBytes(), StandardCharsets.ISO_8859_1);
    }

    private static String request(String fields) {
        return "GET /first?a=b HTTP/1.1\r\nHost: a.test\r\nPriority: u=1\r\n" + fields + "\r\n";
    }

    /** The types of the frames after the 101, with their streams. */
    private List<String> frames() {
        ByteBuffer bytes = ByteBuffer.wrap(connection.sentBytes());
        bytes.position(sent().indexOf("\r\n\r\n") + 4);
        List<String> frames = new ArrayList<>();
        while (bytes.hasRemaining()) {
            int lengthAndType = bytes.getInt();
            bytes.get(); // the flags
            frames.add((lengthAndType & 0xff) + " " + bytes.getInt() + " " + (lengthAndType >>> 8));
            bytes.position(bytes.position() + (lengthAndType >>> 8));
        }
        return frames;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void answersTheFirstRequestOnStreamOneAndGoesOn(boolean dripping) {
        open(dripping);
        connection.receive(request(ASKS + "HTTP2-Settings: AAMAAABkAAQAAAAK\r\n")); // an initial window of 10
        assertTrue(sent().startsWith(SWITCHED), sent());
        connection.receive(Wire.begun().get(3, "/second").toArray());

        List<String> frames = frames();
        assertTrue(frames.get(0).startsWith(Frames.SETTINGS + " 0"), frames.toString());
        assertTrue(frames.contains(Frames.DATA + " 1 10"), frames.toString());
        assertTrue(frames.contains(Frames.SETTINGS + " 0 0"), "only the frame is acknowledged: " + frames);
        assertTrue(frames.stream().anyMatch(each -> each.startsWith(Frames.HEADERS + " 3 ")), frames.toString());
        assertEquals(
                List.of("/first", "/second"),
                requests.stream().map(each -> each.path().decoded()).toList());
        RequestHead first = requests.get(0);
        assertEquals(HttpVersion.HTTP_2, first.version());
        assertEquals("a=b", first.query());
        assertEquals("a.test", first.headers().get("host"));
        for (String field : List.of("upgrade", "connection", "http2-settings")) {
            assertNull(first.headers().get(field));
        }
    }

    @Test
    void takesThePrefaceThatCameWithTheRequest() {
        open(false);
        byte[] head = request(ASKS + "HTTP2-Settings: \r\n").getBytes(StandardCharsets.ISO_8859_1);
        connection.receive(
                new Wire().bytes(head).bytes(Wire.begun().get(3, "/").toArray()).toArray());

        assertEquals(2, requests.size());
    }

    @Test
    void refusesAnotherPreface() {
        open(false);
        connection.receive(request(ASKS + "HTTP2-Settings: \r\n"));
        connection.receive("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");

        assertEquals(1, requests.size());
        assertTrue(frames().stream().anyMatch(each -> each.startsWith(Frames.GOAWAY + " ")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n",
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2\r\nHTTP2-Settings: \r\n",
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: websocket\r\nHTTP2-Settings: \r\n",
                "Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n",
                "Connection: HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n",
                "Upgrade: h2c\r\nHTTP2-Settings: \r\n",
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\nHTTP2-Settings: \r\n",
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n",
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk====\r\n",
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk!!!!\r\n",
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAT/////\r\n",
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAT_____\r\n",
                "Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n",
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\nContent-Length: 1\r\n",
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\nTransfer-Encoding: chunked\r\n"
            })
    void answersInHttp1WhatDoesNotAskAsItShould(String fields) {
        open(false);
        connection.receive(request(fields));

        assertTrue(sent().startsWith("HTTP/1.1 200 "), sent());
        assertFalse(sent().contains("101"), sent());
        assertEquals(HttpVersion.HTTP_1_1, requests.get(0).version());
    }

    @Test
    void doesNotUpgradeHttp10() {
        open(false);
        connection.receive("GET / HTTP/1.0\r\nHost: a.test\r\n" + ASKS + "HTTP2-Settings: \r\n\r\n");

        assertTrue(sent().startsWith("HTTP/1.1 200 "), sent());
    }
}
