package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.annotation.PostConstruct;
import javax.annotation.PreDestroy;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import javax.websocket.EndpointConfig;
import javax.websocket.HandshakeResponse;
import javax.websocket.OnMessage;
import javax.websocket.OnOpen;
import javax.websocket.Session;
import javax.websocket.server.HandshakeRequest;
import javax.websocket.server.ServerEndpoint;
import javax.websocket.server.ServerEndpointConfig;
import org.apache.tomcat.websocket.server.WsServerContainer;
import org.junit.jupiter.api.Test;

/** Opening handshakes (JSR 356, 3 and 8): the container … */
public class HandshakeTest {

    private static final BlockingQueue<String> EVENTS = new LinkedBlockingQueue<>();

    @ServerEndpoint(
            value = "/chat/{room}",
            subprotocols = {"second", "first"})
    public static class Chat {
        @OnMessage
        public String text(String message, Session session) {
            return switch (message) {
                case "subprotocol" -> session.getNegotiatedSubprotocol();
                case "extensions" -> session.getNegotiatedExtensions().toString();
                case "uri" -> session.getRequestURI().getPath() + "?" + session.getQueryString();
                case "scheme" -> session.getRequestURI().getScheme() + " " + session.isSecure();
                case "parameters" -> session.getRequestParameterMap() + " " + session.getPathParameters();
                case "principal" -> String.valueOf(session.getUserPrincipal());
                case "version" -> session.getProtocolVersion();
                default -> "?";
            };
        }
    }

    @Test
    void providesTheRequestToTheSession() throws Exception {
        try (EndpointServer server = EndpointServer.of(Chat.class)) {
            EndpointClient client = server.connect("/chat/a%20b?x=1&x=2&y=%C3%A4");
            assertEquals("text /app/chat/a b?x=1&x=2&y=%C3%A4", client.ask("uri"));
            assertEquals("text ws false", client.ask("scheme"));
            assertTrue(client.ask("parameters").matches("text \\{(x=\\[1, 2]|y=\\[ä]|, )+} \\{room=a b}"));
            assertEquals("text null", client.ask("principal"));
            assertEquals("text 13", client.ask("version"));
            assertEquals("text ", client.ask("subprotocol"));
            assertEquals("text []", client.ask("extensions"));
        }
    }

    @Test
    void agreesOnTheClientsFirstSubprotocol() throws Exception {
        try (EndpointServer server = EndpointServer.of(Chat.class)) {
            EndpointClient client =
                    server.connect("/chat/1", builder -> builder.subprotocols("other", "first", "second"));
            assertEquals("first", client.socket().getSubprotocol());
            assertEquals("text first", client.ask("subprotocol"));
        }
    }

    /** Overrides all methods of a configurator. */
    public static final class Choosy extends ServerEndpointConfig.Configurator {
        @Override
        public boolean checkOrigin(String origin) {
            return origin == null || origin.equals("https://good.test");
        }

        @Override
        public String getNegotiatedSubprotocol(List<String> supported, List<String> requested) {
            return supported.contains("b") && requested.contains("b") ? "b" : "";
        }

        @Override
        public void modifyHandshake(ServerEndpointConfig config, HandshakeRequest request, HandshakeResponse response) {
            response.getHeaders().put("X-Modified", List.of("yes"));
            config.getUserProperties().put("agent", request.getHeaders().get("x-agent"));
            config.getUserProperties().put("query", String.valueOf(request.getQueryString()));
            config.getUserProperties()
                    .put("parameters", request.getParameterMap().toString());
            config.getUserProperties().put("uri", request.getRequestURI().getScheme());
            config.getUserProperties().put("role", request.isUserInRole("none"));
        }

        @Override
        public <T> T getEndpointInstance(Class<T> type) {
            return type.cast(new Configured("configurator"));
        }
    }

    @ServerEndpoint(value = "/configured/{id}", configurator = Choosy.class, subprotocols = "b")
    public static class Configured {
        private final String maker;

        public Configured() {
            this("container");
        }

        Configured(String maker) {
            this.maker = maker;
        }

        @OnMessage
        public String text(String message, Session session) {
            return message.equals("maker")
                    ? maker
                    : String.valueOf(session.getUserProperties().get(message));
        }
    }

    @Test
    void appliesTheConfigurator() throws Exception {
        try (EndpointServer server = EndpointServer.of(Configured.class)) {
            EndpointClient client = server.connect(
                    "/configured/7?q=1",
                    builder -> builder.header("X-Agent", "one").subprotocols("a", "b"));
            EndpointClient other = server.connect("/configured/8", builder -> builder.header("X-Agent", "two"));
            assertEquals("b", client.socket().getSubprotocol());
            assertEquals("text [one]", client.ask("agent"));
            assertEquals("text [two]", other.ask("agent"));
            assertEquals("text q=1", client.ask("query"));
            assertEquals("text {id=[8]}", other.ask("parameters"));
            assertEquals("text ws", client.ask("uri"));
            assertEquals("text false", client.ask("role"));
            assertEquals("text configurator", client.ask("maker"));
        }
    }

    @Test
    void refusesAnOriginThatTheConfiguratorDoesNotWant() throws Exception {
        try (EndpointServer server = EndpointServer.of(Configured.class)) {
            assertEquals(
                    403,
                    server.refused("/configured/7", builder -> builder.header("Origin", "https://evil.test"))
                            .statusCode());
            server.connect("/configured/7", builder -> builder.header("Origin", "https://good.test"));
        }
    }

    @Test
    void answers404WhereThereIsNoEndpoint() throws Exception {
        try (EndpointServer server = EndpointServer.of(Chat.class)) {
            assertEquals(404, server.refused("/chat", builder -> {}).statusCode());
        }
    }

    private static HttpResponse<String> get(EndpointServer server, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.uri("http", path)).build();
        return server.client().send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void leavesOtherRequestsToTheServlets() throws Exception {
        try (EndpointServer server = EndpointServer.of(
                container -> container.addEndpoint(Chat.class), app -> app.servlet("page", new Page(), "/chat/*"))) {
            assertEquals("a page", get(server, "/chat/1").body());
            assertEquals("text 13", server.connect("/chat/1").ask("version"));
        }
    }

    private static final class Page extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getParameter("login") != null) {
                HttpSession session = request.getSession();
                session.setAttribute("user", request.getParameter("login"));
            }
            if (request.getParameter("logout") != null) {
                request.getSession().invalidate();
            }
            response.getWriter().print("a page");
        }
    }

    /** Rejects requests without "please", and stores a name for the others. */
    private static final class Polite extends HttpFilter {
        private static final long serialVersionUID = 1;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            if (request.getParameter("please") == null) {
                response.sendError(402);
                return;
            }
            response.setHeader("X-Filtered", "yes");
            Principal name = () -> "guest";
            chain.doFilter(
                    new HttpServletRequestWrapper(request) {
                        @Override
                        public Principal getUserPrincipal() {
                            return name;
                        }
                    },
                    response);
            EVENTS.add("status " + response.getStatus());
        }
    }

    /** Sends the name. */
    @ServerEndpoint("/name")
    public static class Name {
        @OnMessage
        public String text(String message, Session session) {
            return Objects.requireNonNull(session.getUserPrincipal()).getName();
        }
    }

    @Test
    void comesAfterAllFilters() throws Exception {
        EVENTS.clear();
        try (EndpointServer server = EndpointServer.of(
                container -> container.addEndpoint(Name.class), app -> app.filter("polite", new Polite(), "/*"))) {
            assertEquals(402, server.refused("/name", builder -> {}).statusCode());
            EndpointClient client = server.connect("/name?please");
            assertEquals("text guest", client.ask(""));
            assertEquals("status 101", EVENTS.take());
        }
    }

    @Test
    void comesAfterAccessControl() throws Exception {
        try (EndpointServer server =
                EndpointServer.of(container -> container.addEndpoint(Name.class), Protected::model, Protected::users)) {
            assertEquals(401, server.refused("/name", builder -> {}).statusCode());
            EndpointClient client = server.connect("/name", builder -> builder.header("Authorization", Protected.ANN));
            assertEquals("text ann", client.ask(""));
        }
    }

    /** Records the calls of its lifecycle methods. */
    @ServerEndpoint("/injected")
    public static class Injected {
        private String constructed = "no";

        @PostConstruct
        void construct() {
            constructed = "yes";
        }

        @PreDestroy
        void destroy() {
            EVENTS.add("destroyed");
        }

        @OnMessage
        public String text(String message) {
            return constructed;
        }
    }

    @Test
    void injectsIntoEndpoints() throws Exception {
        EVENTS.clear();
        try (EndpointServer server = EndpointServer.of(Injected.class)) {
            EndpointClient client = server.connect("/injected");
            assertEquals("text yes", client.ask(""));
            client.close(1000, "");
            assertEquals("destroyed", EVENTS.take());
        }
    }

    /** Cannot be instantiated. */
    @ServerEndpoint("/unmade")
    public static class Unmade {
        public Unmade() {
            throw new IllegalStateException("as told");
        }

        @OnOpen
        public void open(EndpointConfig config) {}
    }

    @Test
    void answers500IfTheEndpointCannotBeMade() throws Exception {
        try (EndpointServer server = EndpointServer.of(Unmade.class)) {
            assertEquals(500, server.refused("/unmade", builder -> {}).statusCode());
        }
    }

    @Test
    void answersWhatIsNoProperHandshake() throws Exception {
        try (EndpointServer server = EndpointServer.of(Chat.class)) {
            assertEquals(400, RawHandshake.status(server.port(), "/app/chat/1", "Sec-WebSocket-Version: 13"));
            assertEquals(
                    426,
                    RawHandshake.status(
                            server.port(),
                            "/app/chat/1",
                            "Sec-WebSocket-Version: 8",
                            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="));
            assertEquals(404, RawHandshake.status(server.port(), "/app/none", "Sec-WebSocket-Version: 13"));
        }
    }

    @Test
    void agreesOnCompression() throws Exception {
        String[] offer = {
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Extensions: other, permessage-deflate; client_max_window_bits"
        };
        try (EndpointServer server = EndpointServer.of(Chat.class)) {
            String head = RawHandshake.answer(server.port(), "/app/chat/1", offer);
            assertTrue(head.contains("Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover"), head);
            assertTrue(head.startsWith("HTTP/1.1 101 "), head);
        }
        try (EndpointServer server = EndpointServer.of(
                container -> container.addEndpoint(Chat.class),
                app -> app.initParameter("io.millrace.websocket.deflate", "off"))) {
            String head = RawHandshake.answer(server.port(), "/app/chat/1", offer);
            assertTrue(!head.contains("permessage-deflate"), head);
            assertTrue(server.container().getInstalledExtensions().isEmpty());
        }
    }

    /** Upgrades requests in a servlet, as Spring does. */
    private static final class Upgrading extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            WsServerContainer container =
                    (WsServerContainer) getServletContext().getAttribute("javax.websocket.server.ServerContainer");
            ServerEndpointConfig config =
                    ServerEndpointConfig.Builder.create(Chat.class, "/any").build();
            container.doUpgrade(request, response, config, java.util.Map.of("room", "servlet"));
        }
    }

    @Test
    void upgradesForAServlet() throws Exception {
        try (EndpointServer server =
                EndpointServer.of(container -> {}, app -> app.servlet("upgrading", new Upgrading(), "/up"))) {
            assertEquals("text {} {room=servlet}", server.connect("/up").ask("parameters"));
        }
    }

    @Test
    void seesTheHttpSession() throws Exception {
        try (EndpointServer server = EndpointServer.of(
                container -> container.addEndpoint(ServerEndpointConfig.Builder.create(Chat.class, "/chat/{room}")
                        .configurator(new ServerEndpointConfig.Configurator() {
                            @Override
                            public void modifyHandshake(
                                    ServerEndpointConfig config, HandshakeRequest request, HandshakeResponse response) {
                                HttpSession session = (HttpSession) request.getHttpSession();
                                EVENTS.add("user " + (session == null ? "none" : session.getAttribute("user")));
                            }
                        })
                        .build()),
                app -> app.servlet("page", new Page(), "/page"))) {
            EVENTS.clear();
            server.connect("/chat/1");
            assertEquals("user none", EVENTS.take());
            String cookie = get(server, "/page?login=bob")
                    .headers()
                    .firstValue("Set-Cookie")
                    .orElseThrow();
            server.connect("/chat/1", builder -> builder.header("Cookie", cookie.substring(0, cookie.indexOf(';'))));
            assertEquals("user bob", EVENTS.take());
        }
    }
}
