package io.millrace.websocket.jsr.client;

import io.millrace.http.Headers;
import io.millrace.websocket.DeflateMode;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketOptions;
import io.millrace.websocket.client.ClientRuntime;
import io.millrace.websocket.client.WebSocketClient;
import io.millrace.websocket.client.WebSocketRequest;
import io.millrace.websocket.jsr.CoderTypes;
import io.millrace.websocket.jsr.DefaultingContainer;
import io.millrace.websocket.jsr.EndpointCalls;
import io.millrace.websocket.jsr.EndpointModel;
import io.millrace.websocket.jsr.EndpointRuntime;
import io.millrace.websocket.jsr.JsrSession;
import io.millrace.websocket.jsr.OpeningCalls;
import io.millrace.websocket.jsr.ProgrammaticCalls;
import io.millrace.websocket.jsr.RepeatedText;
import io.millrace.websocket.jsr.SessionDefaults;
import io.millrace.websocket.jsr.SessionFacts;
import io.millrace.websocket.jsr.SessionGroup;
import java.net.URI;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import javax.websocket.ClientEndpointConfig;
import javax.websocket.DeploymentException;
import javax.websocket.Endpoint;
import javax.websocket.Session;

/**
 * The container of client endpoints (JSR 356, 2.1.2 and 6.1). Connecting blocks until the endpoint's onOpen has returned. Each
 * failure to connect is a {@link DeploymentException} with its cause, as in Tomcat and Tyrus. Thread-safe.
 */
final class ClientContainer implements DefaultingContainer {

    private final SessionDefaults defaults = new SessionDefaults(WebSocketOptions.DEFAULT);

    @Override
    public Session connectToServer(Object endpoint, URI path) throws DeploymentException {
        Class<?> type = endpoint.getClass();
        ClientEndpointConfig config = AnnotatedClient.config(type);
        return connect(endpoint, EndpointModel.of(type, coders(config)), config, path);
    }

    @Override
    public Session connectToServer(Class<?> type, URI path) throws DeploymentException {
        AnnotatedClient.config(type); // fails before an instance is created
        return connectToServer(AnnotatedClient.instance(type), path);
    }

    @Override
    public Session connectToServer(Endpoint endpoint, ClientEndpointConfig config, URI path)
            throws DeploymentException {
        return connect(endpoint, ProgrammaticCalls.INSTANCE, config, path);
    }

    @Override
    public Session connectToServer(Class<? extends Endpoint> type, ClientEndpointConfig config, URI path)
            throws DeploymentException {
        return connectToServer(AnnotatedClient.instance(type), config, path);
    }

    private static CoderTypes coders(ClientEndpointConfig config) throws DeploymentException {
        return CoderTypes.of(config.getEncoders(), config.getDecoders());
    }

    private Session connect(Object endpoint, EndpointCalls calls, ClientEndpointConfig configured, URI path)
            throws DeploymentException {
        ClientSessionConfig config = ClientSessionConfig.of(configured);
        HandshakeFields fields = new HandshakeFields(config);
        ClientProperties properties = new ClientProperties(config.getUserProperties());
        WebSocketRequest request = request(path, fields, config, properties);
        ClientRuntime runtime = SharedRuntime.get();
        AtomicReference<Headers> response = new AtomicReference<>(new Headers());
        OpeningCalls opening = new OpeningCalls(
                calls,
                () -> configured
                        .getConfigurator()
                        .afterResponse(() -> HandshakeFields.of(Objects.requireNonNull(response.get()))));
        JsrSession session = new JsrSession(
                runtime(runtime, coders(config), opening, ClientGroups.of(endpoint)),
                config,
                config.properties(),
                SessionFacts.ofClient(path, QueryParameters.of(path.getRawQuery())));
        session.endpoint(endpoint);
        WebSocketClient client = properties.client(runtime);
        await(client.connect(request, session.listener(), response::set), request);
        awaitOpen(opening);
        return session;
    }

    private WebSocketRequest request(
            URI path, HandshakeFields fields, ClientSessionConfig config, ClientProperties properties)
            throws DeploymentException {
        boolean deflate = config.getExtensions().stream()
                .anyMatch(extension -> extension.getName().equals(DEFLATE));
        WebSocketOptions options = defaults.options();
        WebSocketOptions negotiable = options.withSubprotocols(fields.subprotocols())
                .with(WebSocketOptions.DEFLATE, deflate ? options.get(WebSocketOptions.DEFLATE) : DeflateMode.OFF);
        try {
            return new WebSocketRequest(path, fields.others(), negotiable, properties.timeout());
        } catch (IllegalArgumentException invalid) {
            throw new DeploymentException(String.valueOf(invalid.getMessage()), invalid);
        }
    }

    private EndpointRuntime runtime(ClientRuntime runtime, CoderTypes coders, EndpointCalls calls, SessionGroup group) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        ClassLoader application = loader == null ? ClassLoader.getSystemClassLoader() : loader;
        return new EndpointRuntime(
                this,
                application,
                runtime.workers(),
                runtime.timers(),
                coders,
                calls,
                group,
                ClientSessions.of(application),
                new RepeatedText());
    }

    private static void await(CompletableFuture<WebSocketConnection> result, WebSocketRequest request)
            throws DeploymentException {
        try {
            result.get();
        } catch (InterruptedException e) {
            result.cancel(false);
            Thread.currentThread().interrupt();
            throw new DeploymentException("interrupted while connecting to " + request.uri(), e);
        } catch (ExecutionException e) {
            Throwable why = e.getCause() == null ? e : e.getCause();
            throw new DeploymentException(
                    "cannot connect the WebSocket " + request.uri() + ": " + why.getMessage(), why);
        }
    }

    private static void awaitOpen(OpeningCalls opening) throws DeploymentException {
        try {
            opening.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeploymentException("interrupted while the endpoint's onOpen was running", e);
        }
    }

    @Override
    public SessionDefaults defaults() {
        return defaults;
    }
}
