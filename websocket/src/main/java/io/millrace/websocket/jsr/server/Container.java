package io.millrace.websocket.jsr.server;

import io.millrace.metrics.MetricFamily;
import io.millrace.metrics.MetricGroup;
import io.millrace.servlet.Components;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import io.millrace.websocket.MessageMeter;
import io.millrace.websocket.WebSocketOptions;
import io.millrace.websocket.jsr.CoderTypes;
import io.millrace.websocket.jsr.DefaultingContainer;
import io.millrace.websocket.jsr.EndpointModel;
import io.millrace.websocket.jsr.EndpointRuntime;
import io.millrace.websocket.jsr.EndpointSessions;
import io.millrace.websocket.jsr.ProgrammaticCalls;
import io.millrace.websocket.jsr.RepeatedText;
import io.millrace.websocket.jsr.SessionDefaults;
import io.millrace.websocket.jsr.WebSocketLog;
import io.millrace.websocket.jsr.client.ClientSessions;
import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.websocket.ClientEndpointConfig;
import javax.websocket.ContainerProvider;
import javax.websocket.DeploymentException;
import javax.websocket.Endpoint;
import javax.websocket.Session;
import javax.websocket.WebSocketContainer;
import javax.websocket.server.ServerEndpoint;
import javax.websocket.server.ServerEndpointConfig;
import org.apache.tomcat.websocket.server.WsServerContainer;
import org.jspecify.annotations.Nullable;

/**
 * The container of an application's server endpoints (JSR 356, 6): deployment, and the defaults of its sessions. Endpoints may be
 * added while the application runs, as in Tomcat. Thread-safe.
 */
final class Container extends WsServerContainer implements DefaultingContainer {

    private static final MetricFamily SESSIONS =
            MetricFamily.gauge("millrace_websocket_sessions", "Open WebSocket sessions");
    private static final MetricFamily MESSAGES =
            MetricFamily.counter("millrace_websocket_messages_total", "Messages of WebSocket sessions");

    private final ServletContext context;
    private final Components components;
    private final OpenSessions sessions;
    private final boolean closedByHandshake;
    private final PathTemplates<DeployedEndpoint> endpoints = new PathTemplates<>();
    /** The endpoints of {@link #doUpgrade} by path and class; {@code getOpenSessions} returns the sessions of one of them. */
    private final Map<String, EndpointSessions> groups = new ConcurrentHashMap<>();

    private final SessionDefaults defaults;
    private final MessageMeter messages = new MessageMeter();
    private final AtomicBoolean measured = new AtomicBoolean();
    private volatile boolean connected;

    Container(ServletContext context) throws DeploymentException {
        this.context = context;
        this.components = Components.of(context);
        this.sessions = new OpenSessions(components);
        this.closedByHandshake = ContainerSettings.isClosedByHandshake(context);
        this.defaults = new SessionDefaults(ContainerSettings.options(context));
        ClientSessions.started(context.getClassLoader());
    }

    OpenSessions sessions() {
        return sessions;
    }

    MessageMeter messages() {
        return messages;
    }

    Components components() {
        return components;
    }

    @Override
    public SessionDefaults defaults() {
        return defaults;
    }

    boolean isIdle() {
        return endpoints.isEmpty();
    }

    PathTemplates.@Nullable Match<DeployedEndpoint> find(String path) {
        return endpoints.find(path);
    }

    /** The first handshake has been accepted: from now on endpoints may not be added, if a context parameter forbids it. */
    void connected() {
        connected = true;
    }

    // Deployment.

    @Override
    public void addEndpoint(Class<?> type) throws DeploymentException {
        ServerEndpoint annotation = type.getAnnotation(ServerEndpoint.class);
        if (annotation == null) {
            throw new DeploymentException(
                    type.getName() + " is not annotated with @ServerEndpoint; deploy a class without the annotation by"
                            + " addEndpoint(ServerEndpointConfig).");
        }
        add(AnnotatedConfig.of(type, annotation), true);
    }

    @Override
    public void addEndpoint(ServerEndpointConfig config) throws DeploymentException {
        add(config, false);
    }

    private void add(ServerEndpointConfig config, boolean annotated) throws DeploymentException {
        if (connected && closedByHandshake) {
            throw new DeploymentException(
                    "Endpoint " + config.getEndpointClass().getName() + " cannot be added after the first connection,"
                            + " because the context parameter org.apache.tomcat.websocket.noAddAfterHandshake is true; add it"
                            + " while the application starts.");
        }
        DeployedEndpoint endpoint = new DeployedEndpoint(config, runtime(config, new EndpointSessions()), annotated);
        DeployedEndpoint before = endpoints.add(config.getPath(), endpoint);
        if (before == null) {
            WebSocketLog.SERVER.endpointDeployed(context.getContextPath() + config.getPath(), endpoint.className());
        } else if (!before.config().getEndpointClass().equals(config.getEndpointClass())) {
            throw new DeploymentException("Two WebSocket endpoints have the same path: " + before.className() + " at "
                    + before.config().getPath() + ", and " + endpoint.className() + " at " + config.getPath()
                    + "; each needs its own (JSR 356, 3.1.1).");
        } else if (before.annotated() && !annotated) {
            endpoints.replace(config.getPath(), endpoint); // the configuration may have more than the annotation
        }
    }

    private EndpointRuntime runtime(ServerEndpointConfig config, EndpointSessions group) throws DeploymentException {
        if (!measured.getAndSet(true)) {
            measure(components.server().metrics());
        }
        CoderTypes coders = CoderTypes.of(config.getEncoders(), config.getDecoders());
        Class<?> type = config.getEndpointClass();
        EndpointRuntime.EndpointCalls calls =
                Endpoint.class.isAssignableFrom(type) ? ProgrammaticCalls.INSTANCE : EndpointModel.of(type, coders);
        return new EndpointRuntime(
                this,
                context.getClassLoader(),
                components.server().workers(),
                components.server().timers(),
                coders,
                calls,
                group,
                sessions,
                new RepeatedText());
    }

    /** Most applications have no endpoints, and need no metrics of them. */
    private void measure(MetricGroup group) {
        group.number(SESSIONS, sessions::count);
        group.number(MESSAGES, messages::received, "direction", "in");
        group.number(MESSAGES, messages::sent, "direction", "out");
    }

    @Override
    public void doUpgrade(
            HttpServletRequest request,
            HttpServletResponse response,
            ServerEndpointConfig config,
            Map<String, String> pathParameters)
            throws ServletException, IOException {
        try {
            String key = config.getPath() + ' ' + config.getEndpointClass().getName();
            EndpointSessions group = groups.computeIfAbsent(key, path -> new EndpointSessions());
            DeployedEndpoint endpoint = new DeployedEndpoint(config, runtime(config, group), false);
            new Handshake(this, endpoint, pathParameters, request, response).answer();
        } catch (DeploymentException e) {
            throw new ServletException(e.getMessage(), e);
        }
    }

    /** The application stops: closes the sessions that it has opened as a client. */
    void closeClients() {
        ClientSessions.close(context.getClassLoader());
    }

    // Client endpoints, by the client container.

    private static WebSocketContainer client() throws DeploymentException {
        try {
            return ContainerProvider.getWebSocketContainer();
        } catch (RuntimeException e) {
            throw new DeploymentException("no WebSocket client container is available: " + e.getMessage(), e);
        }
    }

    @Override
    public Session connectToServer(Object endpoint, URI path) throws DeploymentException, IOException {
        return client().connectToServer(endpoint, path);
    }

    @Override
    public Session connectToServer(Class<?> endpoint, URI path) throws DeploymentException, IOException {
        return client().connectToServer(endpoint, path);
    }

    @Override
    public Session connectToServer(Endpoint endpoint, ClientEndpointConfig config, URI path)
            throws DeploymentException, IOException {
        return client().connectToServer(endpoint, config, path);
    }

    @Override
    public Session connectToServer(Class<? extends Endpoint> endpoint, ClientEndpointConfig config, URI path)
            throws DeploymentException, IOException {
        return client().connectToServer(endpoint, config, path);
    }

    /** Creates the configuration of an annotated endpoint (JSR 356, 4.1). */
    private static final class AnnotatedConfig {

        private AnnotatedConfig() {}

        static ServerEndpointConfig of(Class<?> type, ServerEndpoint annotation) throws DeploymentException {
            EndpointPath.parse(annotation.value());
            ServerEndpointConfig.Builder config = ServerEndpointConfig.Builder.create(type, annotation.value())
                    .subprotocols(List.of(annotation.subprotocols()))
                    .encoders(List.of(annotation.encoders()))
                    .decoders(List.of(annotation.decoders()));
            Class<? extends ServerEndpointConfig.Configurator> configurator = annotation.configurator();
            if (!configurator.equals(ServerEndpointConfig.Configurator.class)) {
                config.configurator(make(configurator));
            }
            return config.build();
        }

        private static ServerEndpointConfig.Configurator make(Class<? extends ServerEndpointConfig.Configurator> type)
                throws DeploymentException {
            try {
                var constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                return constructor.newInstance();
            } catch (ReflectiveOperationException | RuntimeException e) {
                throw new DeploymentException(
                        "the configurator " + type.getName()
                                + " cannot be instantiated by its no-argument constructor: " + e,
                        e);
            }
        }
    }

    /** The context parameters of WebSocket sessions: the settings of {@link WebSocketOptions}, and Tomcat's of its containers. */
    private static final class ContainerSettings {

        private static final String TOMCAT = "org.apache.tomcat.websocket.";
        private static final String MILLRACE = "io.millrace.websocket.";

        /** Tomcat 8 and later ignore them too. */
        private static final List<String> EXECUTOR =
                List.of("executorCoreSize", "executorMaxSize", "executorKeepAliveTimeSeconds");

        private ContainerSettings() {}

        /** @throws DeploymentException if a parameter io.millrace.websocket.* is unknown, or the value of a parameter is invalid */
        static WebSocketOptions options(ServletContext context) throws DeploymentException {
            for (String name : EXECUTOR) {
                if (context.getInitParameter(TOMCAT + name) != null) {
                    WebSocketLog.SERVER.executorIgnored(TOMCAT + name);
                }
            }
            refuseUnknown(context);
            Settings settings = Settings.DEFAULTS;
            for (Setting<?> setting : WebSocketOptions.all()) {
                String text = context.getInitParameter(setting.name());
                if (text != null) {
                    try {
                        settings = settings.withText(setting, text.strip());
                    } catch (IllegalArgumentException e) {
                        throw new DeploymentException("The context parameter " + e.getMessage() + ".", e);
                    }
                }
            }
            return new WebSocketOptions(
                    WebSocketOptions.DEFAULT.subprotocols(), WebSocketOptions.DEFAULT.origins(), settings);
        }

        /** A misspelt limit would have no effect. */
        private static void refuseUnknown(ServletContext context) throws DeploymentException {
            TreeSet<String> known = WebSocketOptions.all().stream()
                    .map(Setting::name)
                    .filter(name -> name.startsWith(MILLRACE))
                    .collect(Collectors.toCollection(TreeSet::new));
            for (String name : Collections.list(context.getInitParameterNames())) {
                if (name.startsWith(MILLRACE) && !known.contains(name)) {
                    throw new DeploymentException("The context parameter " + name + " is unknown; expected one of "
                            + String.join(", ", known) + ".");
                }
            }
        }

        /** Whether Tomcat's parameter forbids to add endpoints after the first handshake. */
        static boolean isClosedByHandshake(ServletContext context) {
            return Boolean.parseBoolean(context.getInitParameter(TOMCAT + "noAddAfterHandshake"));
        }
    }
}
