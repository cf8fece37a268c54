package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The WebSocket examples that come with Tomcat, unchanged, on the product: it … */
final class WebSocketEndpointsIT {

    @TempDir
    private Path work = Path.of("");

    private Product product;

    @BeforeEach
    void start() throws Exception {
        product = Product.launch(
                        "run",
                        "--port=0",
                        "--address=127.0.0.1",
                        "--work=" + work,
                        Product.war("apache-tomcat-9.0.98/webapps/examples"))
                .awaitStart();
    }

    @AfterEach
    void stop() {
        product.close();
    }

    /** What comes from the server. */
    private static final class Received implements WebSocket.Listener {

        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            events.add("text " + data);
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            events.add("close " + code);
            return null;
        }

        String next() throws InterruptedException {
            return String.valueOf(events.poll(30, TimeUnit.SECONDS));
        }
    }

    private WebSocket connect(String path, Received received) throws Exception {
        URI uri = URI.create("ws://127.0.0.1:" + product.ports().get(0) + "/examples/websocket/" + path);
        return HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(uri, received)
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void servesAnnotatedAndProgrammaticEndpoints() throws Exception {
        for (String path : new String[] {"echoAnnotation", "echoProgrammatic"}) {
            Received received = new Received();
            WebSocket socket = connect(path, received);
            socket.sendText("hällo", true).get(30, TimeUnit.SECONDS);
            assertEquals("text hällo", received.next());
            socket.sendClose(1000, "").get(30, TimeUnit.SECONDS);
            assertEquals("close 1000", received.next());
        }
        assertTrue(product.has("MILLRACE5310: WebSocket endpoint websocket.echo.EchoAnnotation at"
                + " /examples/websocket/echoAnnotation"));
    }

    @Test
    void letsThemChat() throws Exception {
        Received received = new Received();
        WebSocket socket = connect("chat", received);
        assertEquals("text * Guest0 has joined.", received.next());
        socket.sendText("<hello>", true).get(30, TimeUnit.SECONDS);
        assertEquals("text Guest0: &lt;hello&gt;", received.next());
    }

    @Test
    void closesThemWith1001WhenItStops() throws Exception {
        Received received = new Received();
        WebSocket socket = connect("echoAnnotation", received);
        socket.sendText("here", true).get(30, TimeUnit.SECONDS);
        assertEquals("text here", received.next());
        product.terminate();
        assertEquals("close 1001", received.next());
        assertEquals(0, product.exitStatus());
    }
}
