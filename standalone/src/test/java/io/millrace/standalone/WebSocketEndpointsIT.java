package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The WebSocket examples that come with Tomcat, unchanged, on the product: it … */
@Tag("wars")
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

    private ProductSocket connect(String path) throws Exception {
        return ProductSocket.open(product, "/examples/websocket/" + path);
    }

    @Test
    void servesAnnotatedAndProgrammaticEndpoints() throws Exception {
        for (String path : new String[] {"echoAnnotation", "echoProgrammatic"}) {
            ProductSocket socket = connect(path);
            socket.send("hällo");
            assertEquals("text hällo", socket.next());
            socket.close();
            assertEquals("close 1000", socket.next());
        }
        assertTrue(product.has("MILLRACE5310: WebSocket endpoint websocket.echo.EchoAnnotation at"
                + " /examples/websocket/echoAnnotation"));
    }

    @Test
    void letsThemChat() throws Exception {
        ProductSocket socket = connect("chat");
        assertEquals("text * Guest0 has joined.", socket.next());
        socket.send("<hello>");
        assertEquals("text Guest0: &lt;hello&gt;", socket.next());
    }

    @Test
    void closesThemWith1001WhenItStops() throws Exception {
        ProductSocket socket = connect("echoAnnotation");
        socket.send("here");
        assertEquals("text here", socket.next());
        product.terminate();
        assertEquals("close 1001", socket.next());
        assertEquals(0, product.exitStatus());
    }
}
