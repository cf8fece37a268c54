package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.websocket.ClientEndpoint;
import javax.websocket.ClientEndpointConfig;
import javax.websocket.CloseReason;
import javax.websocket.ContainerProvider;
import javax.websocket.DeploymentException;
import javax.websocket.Endpoint;
import javax.websocket.EndpointConfig;
import javax.websocket.Extension;
import javax.websocket.HandshakeResponse;
import javax.websocket.MessageHandler;
import javax.websocket.OnClose;
import javax.websocket.OnError;
import javax.websocket.OnMessage;
import javax.websocket.OnOpen;
import javax.websocket.PongMessage;
import javax.websocket.Session;
import javax.websocket.WebSocketContainer;
import javax.websocket.server.HandshakeRequest;
import javax.websocket.server.ServerEndpoint;
import javax.websocket.server.ServerEndpointConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The requirements of JSR 356 for clients, and for negotiated values: a session … */
@Timeout(60)
public class ClientRulesTest {

    private static final BlockingQueue<Object> HEARD = new LinkedBlockingQueue<>();

    private final WebSocketContainer container = ContainerProvider.getWebSocketContainer();

    @BeforeEach
    @AfterEach
    void reset() {
        HEARD.clear();
        container.setDefaultMaxSessionIdleTimeout(0);
        container.setDefaultMaxTextMessageBufferSize(8192);
        container.setAsyncSendTimeout(-1);
    }

    private static Object heard() throws InterruptedException {
        return String.valueOf(HEARD.poll(30, TimeUnit.SECONDS));
    }

    /** Rejects compression, and selects a subprotocol. */
    public static final class Plain extends ServerEndpointConfig.Configurator {

        @Override
        public List<Extension> getNegotiatedExtensions(List<Extension> installed, List<Extension> requested) {
            return List.of();
        }

        @Override
        public void modifyHandshake(ServerEndpointConfig config, HandshakeRequest request, HandshakeResponse response) {
            config.getUserProperties().put("given", String.valueOf(request.getQueryString()));
        }
    }

    /** Echoes messages, or responds with properties of the session. */
    @ServerEndpoint(value = "/plain", configurator = Plain.class)
    public static final class PlainEcho {

        private String given = "";

        @OnOpen
        public void open(EndpointConfig config, Session session) {
            given = config.getUserProperties().get("given") + " "
                    + session.getUserProperties().get("given") + " " + session.getNegotiatedExtensions();
            config.getUserProperties().put("given", "overwritten");
        }

        @OnMessage
        public String text(String text) {
            return text.equals("given") ? given : text;
        }
    }

    @ServerEndpoint("/deflating")
    public static final class Deflating {

        @OnMessage
        public String text(String text) {
            return text;
        }
    }

    /** Receives partial messages. */
    @ClientEndpoint
    public static final class Parts {

        @OnOpen
        public void open(Session session) {
            HEARD.add("open");
        }

        @OnMessage
        public void part(String part, boolean last) {
            HEARD.add(part + (last ? "." : "…"));
        }

        @OnMessage
        public void pong(PongMessage pong) {
            HEARD.add("pong " + StandardCharsets.UTF_8.decode(pong.getApplicationData()));
        }

        @OnMessage
        public void number(byte[] bytes) {
            if (bytes.length == 1) {
                throw new IllegalStateException("as told");
            }
        }

        @OnError
        public void error(Throwable failure) {
            HEARD.add(failure.getClass().getSimpleName());
        }

        @OnClose
        public void close(CloseReason reason) {
            HEARD.add(reason.getCloseCode().getCode() + " " + reason.getReasonPhrase());
        }
    }

    @ServerEndpoint("/parts")
    public static final class Sending {

        @OnMessage
        public void text(String text, Session session) throws Exception {
            session.getBasicRemote().sendText("one ", false);
            session.getBasicRemote().sendText("two", true);
            session.getBasicRemote().sendBinary(ByteBuffer.wrap(new byte[1]));
            session.close(new CloseReason(CloseReason.CloseCodes.getCloseCode(4002), text));
        }
    }

    private static ClientEndpointConfig config() {
        return ClientEndpointConfig.Builder.create().build();
    }

    /** Records the messages. */
    private static final class Hearing extends Endpoint {

        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.addMessageHandler(String.class, (MessageHandler.Whole<String>) HEARD::add);
        }

        @Override
        public void onClose(Session session, CloseReason reason) {
            HEARD.add(reason.getCloseCode().getCode());
        }
    }

    @Test
    void hearsPartsPongsAndFailures() throws Exception {
        try (EndpointServer server = EndpointServer.of(Sending.class)) {
            Session session = container.connectToServer(Parts.class, server.uri("ws", "/parts"));
            assertEquals("open", heard());
            session.getAsyncRemote().sendPing(ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8)));
            assertEquals("pong hello", heard());
            session.getBasicRemote().sendText("enough");
            assertEquals("one …", heard());
            assertEquals("two.", heard());
            assertEquals("IllegalStateException", heard());
            assertEquals("4002 enough", heard());
        }
    }

    @Test
    void knowsWhereItWentAndWithWhom() throws Exception {
        try (EndpointServer server = EndpointServer.of(Deflating.class)) {
            URI uri = server.uri("ws", "/deflating?a=1&b=%C3%A4&a=2");
            ClientEndpointConfig config = config();
            config.getUserProperties().put("mine", "before");
            Endpoint endpoint = new Hearing();
            Session session = container.connectToServer(endpoint, config, uri);
            Session other = container.connectToServer(endpoint, config, uri);
            assertEquals(uri, session.getRequestURI());
            assertEquals(uri.getRawQuery(), session.getQueryString());
            assertEquals(List.of("1", "2"), session.getRequestParameterMap().get("a"));
            assertEquals(List.of("ä"), session.getRequestParameterMap().get("b"));
            assertEquals("13", session.getProtocolVersion());
            assertEquals("", session.getNegotiatedSubprotocol());
            assertFalse(session.isSecure());
            assertNull(session.getUserPrincipal());
            session.getUserProperties().put("mine", "after");
            assertEquals("before", other.getUserProperties().get("mine"));
            assertEquals("before", config.getUserProperties().get("mine"));
            assertEquals(Set.of(session, other), session.getOpenSessions());
            other.close();
            assertEquals(Set.of(session), session.getOpenSessions());
            session.close();
            for (int i = 0; i < 2; i++) {
                assertEquals("1000", heard());
            }
            Deadline.await("the session to take no calls", () -> isOver(session));
        }
    }

    private static boolean isOver(Session session) {
        try {
            return session.getId().isEmpty();
        } catch (IllegalStateException over) {
            return true;
        }
    }

    @Test
    void agreesOnCompressionIfBothWantIt() throws Exception {
        try (EndpointServer deflating = EndpointServer.of(Deflating.class);
                EndpointServer plain = EndpointServer.of(PlainEcho.class)) {
            List<Extension> offered =
                    container.getInstalledExtensions().stream().toList();
            assertEquals(
                    List.of("permessage-deflate"),
                    offered.stream().map(Extension::getName).toList());
            ClientEndpointConfig config =
                    ClientEndpointConfig.Builder.create().extensions(offered).build();
            Session compressed = container.connectToServer(new Hearing(), config, deflating.uri("ws", "/deflating"));
            assertEquals(1, compressed.getNegotiatedExtensions().size());
            compressed.getBasicRemote().sendText("x".repeat(1000));
            assertEquals("x".repeat(1000), heard());
            Session uncompressed = container.connectToServer(new Hearing(), config, plain.uri("ws", "/plain?q"));
            assertEquals(List.of(), uncompressed.getNegotiatedExtensions());
            uncompressed.getBasicRemote().sendText("given");
            assertEquals("q q []", heard());
            Session next = container.connectToServer(new Hearing(), config(), plain.uri("ws", "/plain?r"));
            next.getBasicRemote().sendText("given");
            assertEquals("r r []", heard());
        }
    }

    @Test
    void beginsWithTheDefaultsOfItsContainer() throws Exception {
        try (EndpointServer server = EndpointServer.of(Deflating.class)) {
            container.setDefaultMaxSessionIdleTimeout(3_000);
            container.setDefaultMaxTextMessageBufferSize(10);
            container.setAsyncSendTimeout(4321);
            URI uri = server.uri("ws", "/deflating");
            Session idle = container.connectToServer(new Hearing(), config(), uri);
            assertEquals(3_000, idle.getMaxIdleTimeout());
            assertEquals(10, idle.getMaxTextMessageBufferSize());
            assertEquals(4321, idle.getAsyncRemote().getSendTimeout());
            assertEquals("1006", heard());
            container.setDefaultMaxSessionIdleTimeout(0);
            Session narrow = container.connectToServer(new Hearing(), config(), uri);
            narrow.getBasicRemote().sendText("longer than ten");
            assertEquals("1009", heard());
        }
    }

    /** Responds with a subprotocol that was not requested. */
    public static final class Inventing extends ServerEndpointConfig.Configurator {

        @Override
        public String getNegotiatedSubprotocol(List<String> supported, List<String> requested) {
            return "invented";
        }
    }

    @ServerEndpoint(value = "/inventing", configurator = Inventing.class)
    public static final class InventingEcho {

        @OnMessage
        public String text(String text) {
            return text;
        }
    }

    @Test
    void isRefusedIfTheServerChoosesWhatWasNotOffered() throws Exception {
        try (EndpointServer server = EndpointServer.of(InventingEcho.class)) {
            assertThrows(
                    DeploymentException.class,
                    () -> container.connectToServer(new Hearing(), config(), server.uri("ws", "/inventing")));
        }
        assertTrue(HEARD.isEmpty());
    }
}
