package io.millrace.websocket.jsr.server;

import io.millrace.http.Headers;
import io.millrace.servlet.Upgrades;
import io.millrace.websocket.DeflateMode;
import io.millrace.websocket.WebSocketHandshake;
import io.millrace.websocket.WebSocketOptions;
import io.millrace.websocket.jsr.DefaultingContainer;
import io.millrace.websocket.jsr.JsrSession;
import io.millrace.websocket.jsr.NamedExtension;
import io.millrace.websocket.jsr.SessionEvents;
import io.millrace.websocket.jsr.SessionFacts;
import io.millrace.websocket.jsr.UserProperties;
import java.io.IOException;
import java.net.URI;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import javax.websocket.Decoder;
import javax.websocket.Encoder;
import javax.websocket.Extension;
import javax.websocket.HandshakeResponse;
import javax.websocket.server.HandshakeRequest;
import javax.websocket.server.ServerEndpointConfig;
import org.apache.tomcat.websocket.server.DefaultServerEndpointConfigurator;
import org.jspecify.annotations.Nullable;

/** An opening handshake (RFC 6455, 4.2), with the endpoint's configurator (JSR 356, 3.1). Confined to the request's owner. */
final class Handshake {

    private final Container container;
    private final DeployedEndpoint endpoint;
    private final Map<String, String> pathParameters;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final ServerEndpointConfig.Configurator configurator;

    Handshake(
            Container container,
            DeployedEndpoint endpoint,
            Map<String, String> pathParameters,
            HttpServletRequest request,
            HttpServletResponse response) {
        this.container = container;
        this.endpoint = endpoint;
        this.pathParameters = Map.copyOf(pathParameters);
        this.request = request;
        this.response = response;
        this.configurator = endpoint.config().getConfigurator();
    }

    /** Responds with 101, or with an error status and its reason. */
    void answer() throws IOException, ServletException {
        WebSocketHandshake handshake =
                WebSocketHandshake.of(Upgrades.exchange(request).request());
        WebSocketHandshake.Refusal refusal = handshake.refusal();
        if (refusal != null) {
            Headers fields = refusal.fields();
            for (int i = 0; i < fields.size(); i++) {
                response.setHeader(fields.name(i), fields.value(i));
            }
            response.sendError(refusal.status(), refusal.reason());
            return;
        }
        if (!configurator.checkOrigin(handshake.origin())) {
            response.sendError(
                    HttpServletResponse.SC_FORBIDDEN,
                    "The endpoint does not accept connections from pages of this origin");
            return;
        }
        container.connected();
        accept(handshake);
    }

    private void accept(WebSocketHandshake handshake) throws ServletException {
        SessionConfig config = SessionConfig.of(endpoint.config());
        String subprotocol = subprotocol(handshake);
        WebSocketOptions options = options(handshake);
        JsrSession session = new JsrSession(endpoint.runtime(), config, config.properties(), facts());
        WebSocketHandshake.Accepted accepted =
                handshake.accept(subprotocol, new SessionEvents(session), options, container.messages());
        Map<String, List<String>> fields = fields(accepted);
        HandshakeResponse handshakeResponse = () -> fields;
        configurator.modifyHandshake(config, new JsrHandshakeRequest(request, pathParameters), handshakeResponse);
        Object instance = instance(config);
        session.endpoint(instance);
        OpenSessions sessions = container.sessions();
        Upgrades.exchange(request).onEnd(outcome -> {
            if (outcome.failure() != null || outcome.status() != HttpServletResponse.SC_SWITCHING_PROTOCOLS) {
                sessions.forgotten(session, instance);
            }
        });
        sessions.expected(session, () -> request.getSession(false));
        write(fields);
        Upgrades.tunnel(request, accepted.tunnel());
    }

    private @Nullable String subprotocol(WebSocketHandshake handshake) throws ServletException {
        String chosen =
                configurator.getNegotiatedSubprotocol(endpoint.config().getSubprotocols(), handshake.subprotocols());
        if (chosen == null || chosen.isEmpty()) {
            return null;
        }
        if (!handshake.subprotocols().contains(chosen)) {
            throw new ServletException(
                    "the configurator " + configurator.getClass().getName() + " chose the subprotocol " + chosen
                            + ", which the client did not offer; return one of the requested subprotocols or an empty string");
        }
        return chosen;
    }

    private WebSocketOptions options(WebSocketHandshake handshake) {
        WebSocketOptions options = container.defaults().options();
        if (handshake.extensions().isEmpty()) {
            return options;
        }
        List<Extension> requested = new ArrayList<>();
        handshake.extensions().forEach(extension -> requested.add(new NamedExtension(extension)));
        Set<Extension> installed = new LinkedHashSet<>(container.getInstalledExtensions());
        installed.addAll(endpoint.config().getExtensions());
        List<Extension> agreed = configurator.getNegotiatedExtensions(new ArrayList<>(installed), requested);
        boolean deflate =
                agreed.stream().anyMatch(extension -> extension.getName().equals(DefaultingContainer.DEFLATE));
        return deflate ? options : options.with(WebSocketOptions.DEFLATE, DeflateMode.OFF);
    }

    private static Map<String, List<String>> fields(WebSocketHandshake.Accepted accepted) {
        Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Headers all = accepted.fields();
        for (int i = 0; i < all.size(); i++) {
            fields.computeIfAbsent(all.name(i), name -> new ArrayList<>()).add(all.value(i));
        }
        return fields;
    }

    private void write(Map<String, List<String>> fields) {
        fields.forEach((name, values) -> {
            if (values != null) {
                values.forEach(value -> response.addHeader(name, value));
            }
        });
    }

    private Object instance(ServerEndpointConfig config) throws ServletException {
        List<Object> created = new ArrayList<>(1);
        try {
            Object instance =
                    DefaultServerEndpointConfigurator.endpoint(configurator, config.getEndpointClass(), created::add);
            if (instance == null) {
                throw new ServletException("the configurator "
                        + configurator.getClass().getName() + " returned null instead of an instance of "
                        + config.getEndpointClass().getName());
            }
            for (Object each : created) {
                container.components().construct(each);
                container.sessions().created(each);
            }
            return instance;
        } catch (InstantiationException e) {
            throw new ServletException(e.getMessage(), e);
        }
    }

    private SessionFacts facts() {
        HttpSession session = request.getSession(false);
        return new SessionFacts(
                null,
                request.getQueryString() == null ? Map.of() : JsrHandshakeRequest.parameters(request),
                pathParameters,
                request.getUserPrincipal(),
                session == null ? null : session.getId());
    }

    /** The request of a handshake as configurators see it. Confined to the request's owner, until the response is committed. */
    private record JsrHandshakeRequest(HttpServletRequest request, Map<String, String> pathParameters)
            implements HandshakeRequest {

        /** Field names are case-insensitive. */
        @Override
        public Map<String, List<String>> getHeaders() {
            Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (String name : Collections.list(request.getHeaderNames())) {
                headers.put(name, List.copyOf(Collections.list(request.getHeaders(name))));
            }
            return Collections.unmodifiableMap(headers);
        }

        @Override
        public @Nullable Principal getUserPrincipal() {
            return request.getUserPrincipal();
        }

        /** With the scheme {@code ws} or {@code wss}, and the query. */
        @Override
        public URI getRequestURI() {
            StringBuffer uri = request.getRequestURL();
            uri.replace(0, "http".length(), "ws");
            String query = request.getQueryString();
            return URI.create(query == null ? uri.toString() : uri + "?" + query);
        }

        @Override
        public boolean isUserInRole(String role) {
            return request.isUserInRole(role);
        }

        /** Null if the request has no session: an endpoint that needs one requires a filter that creates it. */
        @Override
        public @Nullable Object getHttpSession() {
            HttpSession session = request.getSession(false);
            return session;
        }

        /** The parameters of the query string, and the variables of the endpoint's path. */
        @Override
        public Map<String, List<String>> getParameterMap() {
            Map<String, List<String>> all = new HashMap<>(parameters(request));
            pathParameters.forEach((name, value) -> all.merge(name, List.of(value), (one, other) -> {
                List<String> both = new ArrayList<>(one);
                both.addAll(other);
                return List.copyOf(both);
            }));
            return Collections.unmodifiableMap(all);
        }

        @Override
        public @Nullable String getQueryString() {
            return request.getQueryString();
        }

        /** The request's parameters. */
        static Map<String, List<String>> parameters(HttpServletRequest request) {
            Map<String, List<String>> parameters = new HashMap<>();
            request.getParameterMap().forEach((name, values) -> parameters.put(name, List.of(values)));
            return Collections.unmodifiableMap(parameters);
        }
    }

    /**
     * An endpoint's configuration for one handshake and its session, with its own copy of the user properties: configurators pass
     * values to the session in them, and concurrent handshakes must not see each other's.
     */
    private record SessionConfig(ServerEndpointConfig deployed, UserProperties properties)
            implements ServerEndpointConfig {

        static SessionConfig of(ServerEndpointConfig deployed) {
            return new SessionConfig(deployed, new UserProperties(deployed.getUserProperties()));
        }

        @Override
        public Map<String, Object> getUserProperties() {
            return properties.map();
        }

        @Override
        public Class<?> getEndpointClass() {
            return deployed.getEndpointClass();
        }

        @Override
        public String getPath() {
            return deployed.getPath();
        }

        @Override
        public List<String> getSubprotocols() {
            return deployed.getSubprotocols();
        }

        @Override
        public List<Extension> getExtensions() {
            return deployed.getExtensions();
        }

        @Override
        public Configurator getConfigurator() {
            return deployed.getConfigurator();
        }

        @Override
        public List<Class<? extends Encoder>> getEncoders() {
            return deployed.getEncoders();
        }

        @Override
        public List<Class<? extends Decoder>> getDecoders() {
            return deployed.getDecoders();
        }
    }
}
