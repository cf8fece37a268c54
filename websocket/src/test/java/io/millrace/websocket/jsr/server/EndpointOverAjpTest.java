package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.http.Headers;
import io.millrace.servlet.WebApplication;
import io.millrace.settings.Settings;
import io.millrace.testkit.AjpPacket;
import io.millrace.testkit.Connectors;
import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.servlet.ServletContext;
import javax.websocket.DeploymentException;
import javax.websocket.OnMessage;
import javax.websocket.server.ServerContainer;
import javax.websocket.server.ServerEndpoint;
import org.junit.jupiter.api.Test;

/** A handshake that a front end forwards over AJP, which has no upgrade … */
@NeedsConnector("ajp")
final class EndpointOverAjpTest {

    private static final int GET = 2;
    private static final int SECRET_ATTRIBUTE = 0x0c;
    private static final int SEND_BODY_CHUNK = 3;
    private static final int SEND_HEADERS = 4;
    private static final int END_RESPONSE = 5;

    /** Echoes messages, if there could be any. */
    @ServerEndpoint("/echo")
    public static class Echo {
        @OnMessage
        public String text(String message) {
            return message;
        }
    }

    @Test
    void isAnsweredBy501WithTheReasonAndTheConnectionGoesOn() throws Exception {
        try (Server server = Server.builder()
                        .connector(Connector.builder()
                                .port(0)
                                .protocol(Connectors.protocol("ajp")
                                        .create("http", Connectors.with("ajp", Settings.DEFAULTS, "secret", "s")))
                                .build())
                        .application(WebApplication.builder("/app")
                                .configure(EndpointOverAjpTest::deploy)
                                .build())
                        .failFast(true)
                        .start();
                RawClient frontEnd = RawClient.connect(server.port())) {
            for (int i = 0; i < 2; i++) {
                frontEnd.send(AjpPacket.request(GET, "HTTP/1.1", "/app/echo", handshake())
                        .attribute(SECRET_ATTRIBUTE, "s")
                        .end());
                byte[] head = packet(frontEnd);
                assertEquals(SEND_HEADERS, head[0]);
                assertEquals(501, number(head, 1));
                byte[] body = packet(frontEnd);
                assertEquals(SEND_BODY_CHUNK, body[0]);
                String text = new String(body, 3, number(body, 1), StandardCharsets.UTF_8);
                assertTrue(text.contains("configure the front end to send these requests over HTTP"), text);
                byte[] end = packet(frontEnd);
                assertEquals(END_RESPONSE, end[0]);
                assertEquals(1, end[1], "the connection may be used again");
            }
        }
    }

    private static void deploy(ServletContext context) {
        WebSocketInitializer.enable(context);
        try {
            ((ServerContainer) context.getAttribute(ServerContainer.class.getName())).addEndpoint(Echo.class);
        } catch (DeploymentException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static Headers handshake() {
        return new Headers()
                .add("Host", "www.example")
                .add("Connection", "Upgrade")
                .add("Upgrade", "websocket")
                .add("Sec-WebSocket-Version", "13")
                .add("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
    }

    /** The payload of the next packet. */
    private static byte[] packet(RawClient client) throws IOException {
        return client.read(number(client.read(4), 2));
    }

    private static int number(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }
}
