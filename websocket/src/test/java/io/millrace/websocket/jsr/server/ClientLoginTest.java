package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.servlet.WebApplicationBuilder;
import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.PasswordFormat;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.websocket.WebSocketHandshakeException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.websocket.ClientEndpointConfig;
import javax.websocket.ContainerProvider;
import javax.websocket.DeploymentException;
import javax.websocket.Endpoint;
import javax.websocket.EndpointConfig;
import javax.websocket.OnMessage;
import javax.websocket.Session;
import javax.websocket.server.ServerEndpoint;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client endpoint that must authenticate … */
@Timeout(60)
final class ClientLoginTest {

    private static final String PREFIX = "org.apache.tomcat.websocket.WS_AUTHENTICATION_";

    @ServerEndpoint("/echo")
    public static final class Echo {

        @OnMessage
        public String text(String message) {
            return message;
        }
    }

    /** Does nothing. */
    private static final class Quiet extends Endpoint {

        @Override
        public void onOpen(Session session, EndpointConfig config) {}
    }

    /** A server that expects the password "secret". */
    private static final class Ann implements IdentityStore {

        @Override
        public @Nullable Identity verify(String name, String password) {
            return verify(new Proof.Password(name, password));
        }

        @Override
        public @Nullable Identity verify(Proof proof) {
            boolean right = proof.name().equals("ann") && proof.matches("secret", PasswordFormat.detected());
            return right ? new Identity("ann", Set.of("user")) : null;
        }
    }

    private static EndpointServer server(String method) throws IOException {
        return EndpointServer.of(
                container -> container.addEndpoint(Echo.class),
                app -> login(Protected.model(app), method),
                application -> application.identities(new Ann()));
    }

    private static WebApplicationBuilder login(WebApplicationBuilder app, String method) {
        return app.model(model -> model.loginConfig = new LoginConfigModel(method, "here", null, null));
    }

    private static Session connect(EndpointServer server, ClientEndpointConfig config) throws Exception {
        return ContainerProvider.getWebSocketContainer()
                .connectToServer(new Quiet(), config, server.uri("ws", "/echo?a=b"));
    }

    private static ClientEndpointConfig config(String... properties) {
        return config(new ClientEndpointConfig.Configurator(), properties);
    }

    private static ClientEndpointConfig config(ClientEndpointConfig.Configurator configurator, String... properties) {
        ClientEndpointConfig config =
                ClientEndpointConfig.Builder.create().configurator(configurator).build();
        for (int i = 0; i < properties.length; i += 2) {
            config.getUserProperties().put(PREFIX + properties[i], properties[i + 1]);
        }
        return config;
    }

    private static int refusal(EndpointServer server, ClientEndpointConfig config) {
        DeploymentException refused = assertThrows(DeploymentException.class, () -> connect(server, config));
        return assertInstanceOf(WebSocketHandshakeException.class, refused.getCause())
                .status();
    }

    @ParameterizedTest
    @ValueSource(strings = {"BASIC", "DIGEST"})
    void provesIt(String method) throws Exception {
        try (EndpointServer server = server(method);
                Session session = connect(server, config("USER_NAME", "ann", "PASSWORD", "secret", "REALM", "here"))) {
            assertEquals(true, session.isOpen());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BASIC", "DIGEST"})
    void isRefusedOnceMoreWithAWrongPassword(String method) throws Exception {
        try (EndpointServer server = server(method)) {
            assertEquals(401, refusal(server, config("USER_NAME", "ann", "PASSWORD", "guess")));
        }
    }

    @Test
    void keepsItsPasswordFromOtherRealms() throws Exception {
        try (EndpointServer server = server("BASIC")) {
            assertEquals(401, refusal(server, config("USER_NAME", "ann", "PASSWORD", "secret", "REALM", "there")));
        }
    }

    @Test
    void leavesAConfiguratorsAuthorizationAlone() throws Exception {
        ClientEndpointConfig.Configurator own = new ClientEndpointConfig.Configurator() {
            @Override
            public void beforeRequest(Map<String, List<String>> headers) {
                headers.put("Authorization", List.of("Bearer of-its-own"));
            }
        };
        try (EndpointServer server = server("BASIC")) {
            assertEquals(401, refusal(server, config(own, "USER_NAME", "ann", "PASSWORD", "secret")));
        }
    }

    @Test
    void needsAPasswordBesideTheName() throws Exception {
        try (EndpointServer server = server("BASIC")) {
            assertThrows(DeploymentException.class, () -> connect(server, config("USER_NAME", "ann")));
        }
    }
}
