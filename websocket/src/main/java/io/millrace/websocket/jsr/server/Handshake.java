package io.millrace.websocket.jsr.server;

import io.millrace.http.Headers;
import io.millrace.servlet.Upgrades;
import io.millrace.websocket.DeflateMode;
import io.millrace.websocket.WebSocketHandshake;
import io.millrace.websocket.WebSocketOptions;
import io.millrace.websocket.jsr.DefaultingContainer;
import io.millrace.websocket.jsr.JsrSession;
import io.millrace.websocket.jsr.NamedExtension;
import io.millrace.websocket.jsr.SessionFacts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import javax.websocket.Extension;
import javax.websocket.HandshakeResponse;
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
        WebSocketHandshake.Accepted accepted = handshake.accept(subprotocol, session.listener(), options);
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
}
