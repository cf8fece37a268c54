package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.servlet.Filter;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import javax.websocket.CloseReason;
import javax.websocket.HandshakeResponse;
import javax.websocket.OnClose;
import javax.websocket.OnMessage;
import javax.websocket.server.HandshakeRequest;
import javax.websocket.server.ServerEndpoint;
import javax.websocket.server.ServerEndpointConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions that are ended by the container (JSR 356, 7.2, and the end of the application): … */
public class EndOfApplicationTest {

    private static final Queue<String> EVENTS = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void forget() {
        EVENTS.clear();
    }

    @ServerEndpoint("/socket")
    public static class Socket {
        @OnMessage
        public String text(String message) {
            return message;
        }

        @OnClose
        public void close(CloseReason reason) {
            EVENTS.add("close " + reason.getCloseCode().getCode());
        }
    }

    private static final class Last implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {}

        @Override
        public void contextDestroyed(ServletContextEvent event) {
            EVENTS.add("context");
        }
    }

    @Test
    void undeployingClosesThemWith1001BeforeListenersAreDestroyed() throws Exception {
        try (EndpointServer server =
                EndpointServer.of(container -> container.addEndpoint(Socket.class), app -> app.listener(new Last()))) {
            EndpointClient one = server.connect("/socket");
            EndpointClient other = server.connect("/socket");
            assertEquals("text here", one.ask("here"));
            assertEquals("text here", other.ask("here"));
            server.undeploy();
            assertEquals(List.of("close 1001", "close 1001", "context"), List.copyOf(EVENTS));
            assertTrue(one.next().startsWith("close 1001"));
            assertTrue(other.next().startsWith("close 1001"));
        }
    }

    @Test
    void undeployingDisconnectsThoseThatDoNotAnswer() throws Exception {
        try (EndpointServer server = EndpointServer.of(
                        container -> container.addEndpoint(Socket.class), app -> app.listener(new Last()));
                SilentClient silent = SilentClient.connect(server.port(), "/app/socket")) {
            server.connect("/socket").ask("here");
            silent.awaitHead();
            server.undeploy();
            assertEquals("context", List.copyOf(EVENTS).get(2));
        }
    }

    @Test
    void stoppingTheServerClosesThemWith1001() throws Exception {
        EndpointClient client;
        try (EndpointServer server = EndpointServer.of(Socket.class)) {
            client = server.connect("/socket");
            client.ask("here");
        }
        assertTrue(client.next().startsWith("close 1001"));
        assertEquals("close 1001", EVENTS.poll());
    }

    /** Creates and ends HTTP sessions. */
    private static final class Sessions extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            switch (String.valueOf(request.getQueryString())) {
                case "begin" -> request.getSession().setAttribute("a", "b");
                case "rename" -> request.changeSessionId();
                default -> request.getSession().invalidate();
            }
        }
    }

    private static HttpResponse<String> get(EndpointServer server, String query, String cookie) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.uri("http", "/sessions?" + query))
                .header("Authorization", Protected.ANN)
                .header("Cookie", cookie)
                .build();
        return server.client().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String cookie(HttpResponse<?> answer) {
        String field = answer.headers().allValues("Set-Cookie").get(0);
        return field.substring(0, field.indexOf(';'));
    }

    @Test
    void theEndOfAUsersHttpSessionClosesThemWith1008() throws Exception {
        try (EndpointServer server = EndpointServer.of(
                container -> container.addEndpoint(Socket.class),
                app -> Protected.model(app).servlet("sessions", new Sessions(), "/sessions"),
                Protected::users)) {
            String first = cookie(get(server, "begin", "x=y"));
            String cookie = cookie(get(server, "begin", first)); // the login changes the session id
            EndpointClient with = server.connect(
                    "/socket",
                    builder -> builder.header("Authorization", Protected.ANN).header("Cookie", cookie));
            EndpointClient without =
                    server.connect("/socket", builder -> builder.header("Authorization", Protected.ANN));
            assertEquals("text here", with.ask("here"));
            String renamed = cookie(get(server, "rename", cookie));
            assertEquals("text still", with.ask("still"));
            get(server, "end", renamed);
            assertTrue(with.next().startsWith("close 1008"));
            assertEquals("text still", without.ask("still"));
        }
    }

    /** Whether the user logs out during the handshake, or after it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theEndOfAUsersHttpSessionBeforeItIsOpenClosesItWith1008(boolean before) throws Exception {
        ServerEndpointConfig config = ServerEndpointConfig.Builder.create(Socket.class, "/socket")
                .configurator(before ? new LoggingOut() : new ServerEndpointConfig.Configurator())
                .build();
        Filter after = (request, response, chain) -> {
            chain.doFilter(request, response);
            ((HttpServletRequest) request).getSession().invalidate();
        };
        try (EndpointServer server = EndpointServer.of(
                container -> container.addEndpoint(config),
                app -> {
                    Protected.model(app).servlet("sessions", new Sessions(), "/sessions");
                    return before ? app : app.filter("after", after, "/socket");
                },
                Protected::users)) {
            String cookie = cookie(get(server, "begin", cookie(get(server, "begin", "x=y"))));
            EndpointClient client = server.connect(
                    "/socket",
                    builder -> builder.header("Authorization", Protected.ANN).header("Cookie", cookie));
            assertTrue(client.next().startsWith("close 1008"));
        }
    }

    /** Ends the HTTP session of the handshake. */
    private static final class LoggingOut extends ServerEndpointConfig.Configurator {

        @Override
        public void modifyHandshake(ServerEndpointConfig config, HandshakeRequest request, HandshakeResponse response) {
            ((HttpSession) request.getHttpSession()).invalidate();
        }
    }

    @Test
    void theEndOfAGuestsHttpSessionDoesNotCloseThem() throws Exception {
        try (EndpointServer server = EndpointServer.of(
                container -> container.addEndpoint(Socket.class),
                app -> app.servlet("sessions", new Sessions(), "/sessions"))) {
            String cookie = cookie(get(server, "begin", "x=y"));
            EndpointClient client = server.connect("/socket", builder -> builder.header("Cookie", cookie));
            assertEquals("text here", client.ask("here"));
            get(server, "end", cookie);
            assertEquals("text still", client.ask("still"));
        }
    }
}
