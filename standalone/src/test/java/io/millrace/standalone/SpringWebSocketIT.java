package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The WebSockets of a WAR of Spring Boot 2.7: plain, with STOMP, and with SockJS and what that falls back to. */
@NullUnmarked
@Tag("wars")
final class SpringWebSocketIT {

    private static final String APPLICATION = "/millrace-spring-boot";
    private static final String CONNECT = "CONNECT\naccept-version:1.2\nhost:chat\n\n\0";
    private static final String SUBSCRIBE = "SUBSCRIBE\nid:0\ndestination:/topic/said\n\n\0";

    @TempDir
    private static Path work;

    private static Product product;

    @BeforeAll
    static void start() throws Exception {
        product = Product.serving(
                "run", "--port=0", "--address=127.0.0.1", "--work=" + work, Product.SPRING_BOOT.toString());
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    @AfterEach
    void assertNoFailureLogged() {
        assertFalse(product.has(" ERROR "), product.output());
    }

    private static String say(String text) {
        return "SEND\ndestination:/app/say\ncontent-type:text/plain\n\n" + text + "\0";
    }

    @Test
    void sendsTenThousandMessagesInOrder() throws Exception {
        ProductSocket socket = ProductSocket.open(product, APPLICATION + "/count");
        socket.send("10000");
        for (int i = 1; i <= 10_000; i++) {
            assertEquals("text " + i, socket.next());
        }
        socket.close();
        assertEquals("close 1000", socket.next());
    }

    @Test
    void speaksStomp() throws Exception {
        ProductSocket socket = ProductSocket.open(
                product, APPLICATION + "/stomp", builder -> builder.subprotocols("v13.none", "v12.stomp"));
        assertEquals("v12.stomp", socket.subprotocol());
        socket.send(CONNECT);
        assertStarts("text CONNECTED\n", socket.next());
        socket.send(SUBSCRIBE);
        socket.send(say("hällo by stomp"));
        String message = socket.next();
        assertStarts("text MESSAGE\n", message);
        assertTrue(message.endsWith("\n\nhällo by stomp\0"), message);
        socket.close();
        assertEquals("close 1000", socket.next());
    }

    @Test
    void refusesPagesFromElsewhere() throws Exception {
        String[] handshake = {
            "--http1.1",
            "-H",
            "Connection: Upgrade",
            "-H",
            "Upgrade: websocket",
            "-H",
            "Sec-WebSocket-Version: 13",
            "-H",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "-H",
            "Origin: http://elsewhere.example",
            product.url(APPLICATION + "/stomp")
        };
        assertEquals(403, Curl.status(handshake));
    }

    @Test
    void speaksSockJsOverAWebSocket() throws Exception {
        String info = Curl.run(product.url(APPLICATION + "/sockjs/info"));
        assertTrue(info.contains("\"websocket\":true"), info);
        ProductSocket socket = ProductSocket.open(product, APPLICATION + "/sockjs/000/socket/websocket");
        assertEquals("text o", socket.next());
        socket.send(array(CONNECT));
        assertStarts("text a[\"CONNECTED\\n", socket.next());
        socket.send(array(SUBSCRIBE));
        socket.send(array(say("by socket")));
        assertStarts("text a[\"MESSAGE\\n", socket.next());
        socket.close();
        assertEquals("close 1000", socket.next());
    }

    @Test
    void fallsBackToStreaming() throws Exception {
        String session = "/sockjs/000/stream/";
        HttpResponse<InputStream> streaming = HttpClient.newHttpClient()
                .send(post(session + "xhr_streaming", ""), HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader stream =
                new BufferedReader(new InputStreamReader(streaming.body(), StandardCharsets.UTF_8))) {
            assertStarts("hhhhhhhh", stream.readLine());
            assertEquals("o", stream.readLine());
            assertSent(session, CONNECT);
            assertStarts("a[\"CONNECTED\\n", stream.readLine());
            assertSent(session, SUBSCRIBE);
            assertSent(session, say("by stream"));
            assertStarts("a[\"MESSAGE\\n", stream.readLine());
        }
    }

    @Test
    void fallsBackToPolling() throws Exception {
        String session = "/sockjs/000/poll/";
        assertEquals("o\n", posted(session + "xhr", "").body());
        assertSent(session, CONNECT);
        assertStarts("a[\"CONNECTED\\n", posted(session + "xhr", "").body());
        assertSent(session, SUBSCRIBE);
        assertSent(session, say("by poll"));
        assertStarts("a[\"MESSAGE\\n", posted(session + "xhr", "").body());
    }

    /** SockJS's messages are JSON. */
    private static String array(String frame) {
        return "[\"" + frame.replace("\n", "\\n").replace("\0", "\\u0000") + "\"]";
    }

    private static void assertSent(String session, String frame) throws Exception {
        assertEquals(204, posted(session + "xhr_send", array(frame)).statusCode());
    }

    private static HttpResponse<String> posted(String path, String body) throws Exception {
        return HttpClient.newHttpClient().send(post(path, body), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest post(String path, String body) {
        return HttpRequest.newBuilder(URI.create(product.url(APPLICATION + path)))
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private static void assertStarts(String expected, String found) {
        assertTrue(found.startsWith(expected), found);
    }
}
