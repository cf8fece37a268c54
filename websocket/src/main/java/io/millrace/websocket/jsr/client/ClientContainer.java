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
import io.millrace.websocket.jsr.EndpointModel;
import io.millrace.websocket.jsr.EndpointRuntime;
import io.millrace.websocket.jsr.EndpointSessions;
import io.millrace.websocket.jsr.JsrSession;
import io.millrace.websocket.jsr.OpeningCalls;
import io.millrace.websocket.jsr.ProgrammaticCalls;
import io.millrace.websocket.jsr.RepeatedText;
import io.millrace.websocket.jsr.SessionDefaults;
import io.millrace.websocket.jsr.SessionEvents;
import io.millrace.websocket.jsr.SessionFacts;
import io.millrace.websocket.jsr.UserProperties;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import javax.websocket.ClientEndpoint;
import javax.websocket.ClientEndpointConfig;
import javax.websocket.Decoder;
import javax.websocket.DeploymentException;
import javax.websocket.Encoder;
import javax.websocket.Endpoint;
import javax.websocket.Extension;
import javax.websocket.Session;
import org.jspecify.annotations.Nullable;

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

    private Session connect(
            Object endpoint, EndpointRuntime.EndpointCalls calls, ClientEndpointConfig configured, URI path)
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
        await(client.connect(request, new SessionEvents(session), response::set), request);
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

    private EndpointRuntime runtime(
            ClientRuntime runtime, CoderTypes coders, EndpointRuntime.EndpointCalls calls, EndpointSessions group) {
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

    /** Creates the configuration and the instances of annotated client endpoints (JSR 356, 4.2). */
    private static final class AnnotatedClient {

        private AnnotatedClient() {}

        static ClientEndpointConfig config(Class<?> type) throws DeploymentException {
            ClientEndpoint annotation = type.getAnnotation(ClientEndpoint.class);
            if (annotation == null) {
                throw new DeploymentException(
                        type.getName() + " is not annotated with @ClientEndpoint; a class without it must"
                                + " extend javax.websocket.Endpoint, and is connected with a ClientEndpointConfig.");
            }
            ClientEndpointConfig.Builder config = ClientEndpointConfig.Builder.create()
                    .preferredSubprotocols(List.of(annotation.subprotocols()))
                    .encoders(List.of(annotation.encoders()))
                    .decoders(List.of(annotation.decoders()));
            Class<? extends ClientEndpointConfig.Configurator> configurator = annotation.configurator();
            if (!configurator.equals(ClientEndpointConfig.Configurator.class)) {
                config.configurator(instance(configurator));
            }
            return config.build();
        }

        static <T> T instance(Class<T> type) throws DeploymentException {
            try {
                var constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                return constructor.newInstance();
            } catch (ReflectiveOperationException | RuntimeException e) {
                throw new DeploymentException(
                        type.getName() + " cannot be instantiated by a constructor without parameters: " + e, e);
            }
        }
    }

    /** Parses the parameters of a URI's query. */
    private static final class QueryParameters {

        private QueryParameters() {}

        /** The parameters, decoded like those of a form, in UTF-8; a name without a value has an empty one. */
        static Map<String, List<String>> of(@Nullable String query) {
            if (query == null || query.isEmpty()) {
                return Map.of();
            }
            Map<String, List<String>> parameters = new LinkedHashMap<>();
            for (String pair : query.split("&", -1)) {
                int end = pair.indexOf('=');
                String name = decode(end < 0 ? pair : pair.substring(0, end));
                parameters
                        .computeIfAbsent(name, first -> new ArrayList<>())
                        .add(end < 0 ? "" : decode(pair.substring(end + 1)));
            }
            return parameters;
        }

        private static String decode(String text) {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        }
    }

    /** An endpoint's configuration for one session, with its own user properties. */
    private record ClientSessionConfig(ClientEndpointConfig configured, UserProperties properties)
            implements ClientEndpointConfig {

        static ClientSessionConfig of(ClientEndpointConfig configured) {
            return new ClientSessionConfig(configured, new UserProperties(configured.getUserProperties()));
        }

        @Override
        public Map<String, Object> getUserProperties() {
            return properties.map();
        }

        @Override
        public List<String> getPreferredSubprotocols() {
            return configured.getPreferredSubprotocols();
        }

        @Override
        public List<Extension> getExtensions() {
            return configured.getExtensions();
        }

        @Override
        public Configurator getConfigurator() {
            return configured.getConfigurator();
        }

        @Override
        public List<Class<? extends Encoder>> getEncoders() {
            return configured.getEncoders();
        }

        @Override
        public List<Class<? extends Decoder>> getDecoders() {
            return configured.getDecoders();
        }
    }

    /**
     * The threads of all clients in this process, started with the first client and never ended. They are daemon threads, so that
     * open sessions do not keep the JVM running.
     */
    private static final class SharedRuntime {

        private static final String NAME = "websocket-client";

        private static @Nullable ClientRuntime started;

        private SharedRuntime() {}

        static synchronized ClientRuntime get() throws DeploymentException {
            ClientRuntime known = started;
            if (known == null) {
                known = start();
                started = known;
            }
            return known;
        }

        /** Starts the threads on a thread that inherits nothing from the first application: new threads inherit from their creator. */
        private static ClientRuntime start() throws DeploymentException {
            FutureTask<ClientRuntime> task = new FutureTask<>(() -> ClientRuntime.start(NAME));
            Thread starter = new Thread(null, task, NAME + "-start", 0, false);
            starter.setDaemon(true);
            starter.setContextClassLoader(SharedRuntime.class.getClassLoader());
            starter.start();
            try {
                return task.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new DeploymentException("interrupted while the threads of WebSocket clients were started", e);
            } catch (ExecutionException e) {
                Throwable why = e.getCause() instanceof IOException || e.getCause() instanceof IllegalStateException
                        ? e.getCause()
                        : e;
                throw new DeploymentException(
                        "the threads of WebSocket clients cannot be started: " + why.getMessage(), why);
            }
        }
    }

    /**
     * The open sessions of each client endpoint (JSR 356, {@code Session.getOpenSessions}). Endpoints are compared by identity, and may
     * be connected more than once; they are weakly referenced. Thread-safe.
     */
    private static final class ClientGroups {

        private static final Map<Key, EndpointSessions> GROUPS = new HashMap<>();
        private static final ReferenceQueue<Object> COLLECTED = new ReferenceQueue<>();

        private ClientGroups() {}

        /** An endpoint by its identity. */
        private static final class Key extends WeakReference<Object> {

            private final int hash;

            Key(Object endpoint) {
                super(endpoint, COLLECTED);
                hash = System.identityHashCode(endpoint);
            }

            @Override
            public int hashCode() {
                return hash;
            }

            /** A key whose endpoint was collected equals only itself, so that it can be removed. */
            @Override
            public boolean equals(@Nullable Object other) {
                if (this == other) {
                    return true;
                }
                Object endpoint = get();
                return endpoint != null && other instanceof Key key && key.refersTo(endpoint);
            }
        }

        static EndpointSessions of(Object endpoint) {
            synchronized (GROUPS) {
                for (Reference<?> collected = COLLECTED.poll(); collected != null; collected = COLLECTED.poll()) {
                    GROUPS.remove(collected);
                }
                return GROUPS.computeIfAbsent(new Key(endpoint), unknown -> new EndpointSessions());
            }
        }
    }

    /**
     * The header fields that a configurator adds to the request (JSR 356, 3.2.1). They include the subprotocols, which it may change;
     * only the container may set the other fields of the handshake.
     */
    private static final class HandshakeFields {

        private static final String SUBPROTOCOLS = "Sec-WebSocket-Protocol";
        private static final List<String> RESERVED = List.of(
                "Host",
                "Upgrade",
                "Connection",
                "Content-Length",
                "Transfer-Encoding",
                "Sec-WebSocket-Key",
                "Sec-WebSocket-Version",
                "Sec-WebSocket-Extensions");

        private final Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

        /** Calls the configurator. */
        HandshakeFields(ClientEndpointConfig config) throws DeploymentException {
            List<String> preferred = config.getPreferredSubprotocols();
            if (!preferred.isEmpty()) {
                fields.put(SUBPROTOCOLS, new ArrayList<>(List.of(String.join(", ", preferred))));
            }
            config.getConfigurator().beforeRequest(fields);
            for (String reserved : RESERVED) {
                if (fields.containsKey(reserved)) {
                    throw new DeploymentException("the configurator "
                            + config.getConfigurator().getClass().getName() + " has set the header field " + reserved
                            + ", which only the container may set");
                }
            }
        }

        List<String> subprotocols() {
            return fields.getOrDefault(SUBPROTOCOLS, List.of()).stream()
                    .flatMap(value -> Arrays.stream(value.split(",", -1)))
                    .map(String::strip)
                    .filter(token -> !token.isEmpty())
                    .toList();
        }

        /** All fields except the subprotocols. */
        Headers others() {
            Headers others = new Headers();
            fields.forEach((name, values) -> {
                if (!name.equalsIgnoreCase(SUBPROTOCOLS)) {
                    values.forEach(value -> others.add(name, value));
                }
            });
            return others;
        }

        /** The fields of a response, for the configurator. */
        static Map<String, List<String>> of(Headers response) {
            Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (int i = 0; i < response.size(); i++) {
                fields.computeIfAbsent(response.name(i), name -> new ArrayList<>())
                        .add(response.value(i));
            }
            return fields;
        }
    }
}
