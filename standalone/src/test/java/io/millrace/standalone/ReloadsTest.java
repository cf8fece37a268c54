package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.handler.Responses;
import io.millrace.standalone.config.ContextFiles;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.deploy.PlannedDeployment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The watch over reloadable applications: it … */
final class ReloadsTest {

    private static final ContextName SHOP = new ContextName("/shop", "");

    @TempDir
    private Path base = Path.of("");

    private final Reloads reloads = new Reloads();

    @BeforeEach
    void write() throws IOException {
        Files.createDirectories(base.resolve("shop/META-INF"));
        Files.writeString(base.resolve("shop/META-INF/context.xml"), "<Context reloadable=\"true\"/>");
        text("first");
    }

    private void text(String text) throws IOException {
        Path classes = Files.createDirectories(base.resolve("shop/WEB-INF/classes"));
        Files.writeString(classes.resolve("text.properties"), text);
    }

    private void serve() {
        reloads.serves(PlannedDeployment.at(SHOP, base.resolve("shop"), ContextFiles.inApplicationsAlone(base)));
    }

    /** What two looks find, which is settled then. */
    private List<Reloads.Changed> settled() {
        reloads.look();
        return reloads.look();
    }

    @Test
    void reportsAChangeUntilItIsServedOrHasFailed() throws Exception {
        serve();
        assertEquals(List.of(), settled());
        text("the second");
        Reloads.Changed change = settled().get(0);
        assertEquals(List.of(change), reloads.look(), "nothing was done about it");
        reloads.failed(change, "it is broken");
        assertEquals(List.of(), settled());
        text("the third one");
        assertEquals(1, settled().size());
        serve();
        assertEquals(List.of(), settled());
    }

    @Test
    void looksOnlyWhileThereIsSomethingToLookAt() {
        List<String> events = new ArrayList<>();
        reloads.start(() -> {
            events.add("begun");
            return () -> events.add("ended");
        });
        assertEquals(List.of(), events);
        serve();
        serve();
        assertEquals(List.of("begun"), events);
        reloads.forget(SHOP);
        assertEquals(List.of("begun", "ended"), events);
        serve();
        reloads.stop();
        reloads.forget(SHOP);
        serve(); // by a deployment that was in progress when the host was closed
        assertEquals(List.of("begun", "ended", "begun", "ended"), events);
    }

    @Test
    void showsFailuresToWhoeverAsksThisMachineForItself() throws Exception {
        serve();
        text("the second");
        reloads.failed(settled().get(0), "it is broken");
        try (Server server = Server.builder()
                .connector(Connector.builder().address("127.0.0.1").port(0).build())
                .handler(reloads.showing(SHOP, exchange -> Responses.text(exchange, 200, "served")))
                .start()) {
            for (String own : List.of("localhost", "LOCALHOST:80", "127.0.0.1", "127.8.0.1:8080", "[::1]:80")) {
                assertEquals(true, isShown(server, own, "X-Other: a"), own);
            }
            for (String other : List.of("shop.example", "localhost.example", "192.0.2.1", "[2001:db8::1]", "127.1")) {
                assertEquals(false, isShown(server, other, "X-Other: a"), other);
            }
            for (String relayed : List.of(
                    "Via: 1.1 front",
                    "Forwarded: for=192.0.2.1",
                    "X-Real-IP: 192.0.2.1",
                    "x-forwarded-for: 192.0.2.1",
                    "X-Forwarded-Proto: https",
                    "X-Forwarded-Host: localhost")) {
                assertEquals(false, isShown(server, "localhost", relayed), relayed);
            }
        }
    }

    private static boolean isShown(Server server, String host, String field) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String request = "GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + field + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertEquals("HTTP/1.1 200", response.substring(0, 12), response);
            return response.contains("\r\nX-Reload-Failed: it is broken\r\n");
        }
    }
}
