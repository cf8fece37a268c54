package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.testkit.Connectors;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.websocket.OnMessage;
import javax.websocket.OnOpen;
import javax.websocket.Session;
import javax.websocket.server.ServerEndpoint;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of endpoints on every transport, plain and with TLS: an endpoint … */
@ParameterizedClass
@MethodSource("carriers")
@SuppressWarnings("FutureReturnValueIgnored") // the tests wait for the results
public class EndpointsOnTransportsTest {

    private final String transport;
    private final @Nullable TlsImplementation tls;

    @TempDir
    private Path work = Path.of("");

    private EndpointServer server;

    EndpointsOnTransportsTest(String transport, @Nullable TlsImplementation tls) {
        this.transport = transport;
        this.tls = tls;
    }

    static Stream<Arguments> carriers() {
        List<Arguments> carriers = new ArrayList<>();
        for (String transport : Transports.installed()) {
            carriers.add(Arguments.of(transport, null));
            Connectors.tls().forEach(each -> carriers.add(Arguments.of(transport, each)));
        }
        return carriers.stream();
    }

    @BeforeEach
    void start() throws Exception {
        server = EndpointServer.over(transport, tls, work, Contract.class);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Echoes, sends large messages, and responds with properties of the session. */
    @ServerEndpoint("/contract")
    public static class Contract {
        @OnOpen
        public void open(Session session) {
            session.setMaxTextMessageBufferSize(1 << 20);
            session.setMaxBinaryMessageBufferSize(1 << 20);
            session.getAsyncRemote().sendText("open");
        }

        @OnMessage
        public Object text(String message, Session session) throws Exception {
            if (message.equals("secure")) {
                return session.isSecure() + " " + session.getRequestURI().getScheme();
            }
            if (message.startsWith("count ")) {
                int count = Integer.parseInt(message.substring("count ".length()));
                for (int i = 0; i < count; i++) {
                    session.getAsyncRemote().sendText(String.valueOf(i));
                }
            }
            return message;
        }

        @OnMessage
        public ByteBuffer binary(ByteBuffer message) {
            return message;
        }
    }

    @Test
    void answers() throws Exception {
        EndpointClient client = server.connect("/contract");
        assertEquals("text open", client.next());
        assertEquals("text hällo", client.ask("hällo"));
        assertEquals(tls == null ? "text false ws" : "text true wss", client.ask("secure"));
        assertEquals("text count 0", client.ask("count 0"));
    }

    @Test
    void sendsAndReceivesLargeMessages() throws Exception {
        EndpointClient client = server.connect("/contract");
        assertEquals("text open", client.next());
        String large = "0123456789".repeat(50_000);
        assertEquals("text " + large, client.ask(large));
        client.sendBinary(large);
        StringBuilder received = new StringBuilder();
        String event = client.next();
        while (event.startsWith("part ")) {
            received.append(event, "part ".length(), event.length());
            event = client.next();
        }
        assertEquals(large, received + event.substring("binary ".length()));
    }

    @Test
    void sendsManyMessagesInOrder() throws Exception {
        EndpointClient client = server.connect("/contract");
        assertEquals("text open", client.next());
        client.send("count 500");
        for (int i = 0; i < 500; i++) {
            assertEquals("text " + i, client.next());
        }
        assertEquals("text count 500", client.next());
    }

    @Test
    void endsWithTheServer() throws Exception {
        EndpointClient client = server.connect("/contract");
        assertEquals("text open", client.next());
        server.undeploy();
        assertEquals("close 1001 The application has stopped", client.next());
    }
}
