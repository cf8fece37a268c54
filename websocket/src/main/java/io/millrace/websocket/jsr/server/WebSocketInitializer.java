package io.millrace.websocket.jsr.server;

import io.millrace.http.EncodedSlash;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.servlet.Upgrades;
import io.millrace.servlet.upgrade.UpgradeResponder;
import io.millrace.websocket.WebSocketHandshake;
import io.millrace.websocket.jsr.WebSocketLog;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.servlet.DispatcherType;
import javax.servlet.ServletContainerInitializer;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.annotation.HandlesTypes;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.websocket.DeploymentException;
import javax.websocket.Endpoint;
import javax.websocket.server.ServerApplicationConfig;
import javax.websocket.server.ServerContainer;
import javax.websocket.server.ServerEndpoint;
import javax.websocket.server.ServerEndpointConfig;
import org.jspecify.annotations.Nullable;

/**
 * Creates the {@link ServerContainer} of an application, the context attribute {@code javax.websocket.server.ServerContainer},
 * and deploys its endpoints (JSR 356, 6.2). It is called for applications deployed from WARs if this jar is on the server's class
 * path; an application built in code enables it by {@code configure(WebSocketInitializer::enable)}.
 */
@HandlesTypes({ServerEndpoint.class, ServerApplicationConfig.class, Endpoint.class})
public final class WebSocketInitializer implements ServletContainerInitializer {

    private static final String ATTRIBUTE = ServerContainer.class.getName();

    /** For the service loader. */
    public WebSocketInitializer() {}

    /**
     * Creates the server container of an application that is built in code; call it while the application starts. It deploys no
     * endpoints: add them to the container.
     *
     * @throws IllegalStateException if a WebSocket context parameter is unknown or has an invalid value
     */
    public static void enable(ServletContext context) {
        try {
            container(context);
        } catch (DeploymentException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static Container container(ServletContext context) throws DeploymentException {
        if (context.getAttribute(ATTRIBUTE) instanceof Container known) {
            return known;
        }
        Container made = new Container(context);
        Upgrades.respond(context, new HandshakeResponder(made, context.getContextPath()));
        context.addListener(made.sessions());
        context.setAttribute(ATTRIBUTE, made);
        return made;
    }

    /**
     * Creates the container and deploys the application's endpoints.
     *
     * @param types the application's annotated endpoints and its implementations of {@code Endpoint} and {@code
     *     ServerApplicationConfig}; classes that are abstract or not public are ignored; null if there are none
     * @throws ServletException if an endpoint cannot be deployed; the message is for the operator
     */
    @Override
    public void onStartup(@Nullable Set<Class<?>> types, ServletContext context) throws ServletException {
        try {
            Container container = container(context);
            if (types != null) {
                deploy(types, container);
            }
        } catch (DeploymentException e) {
            throw new ServletException(e.getMessage(), e);
        }
    }

    private static void deploy(Set<Class<?>> types, Container container) throws DeploymentException {
        Set<ServerApplicationConfig> configs = new LinkedHashSet<>();
        Set<Class<? extends Endpoint>> endpoints = new LinkedHashSet<>();
        Set<Class<?>> annotated = new LinkedHashSet<>();
        for (Class<?> type : types) {
            if (!isCandidate(type)) {
                continue;
            }
            if (ServerApplicationConfig.class.isAssignableFrom(type)) {
                configs.add(make(type.asSubclass(ServerApplicationConfig.class)));
            }
            if (Endpoint.class.isAssignableFrom(type)) {
                endpoints.add(type.asSubclass(Endpoint.class));
            }
            if (type.isAnnotationPresent(ServerEndpoint.class)) {
                annotated.add(type);
            }
        }
        if (configs.isEmpty()) {
            addAll(annotated, container);
            return;
        }
        Set<Class<?>> chosen = new LinkedHashSet<>();
        Set<ServerEndpointConfig> programmatic = new LinkedHashSet<>();
        for (ServerApplicationConfig config : configs) {
            chosen.addAll(orNone(config.getAnnotatedEndpointClasses(new HashSet<>(annotated))));
            programmatic.addAll(orNone(config.getEndpointConfigs(new HashSet<>(endpoints))));
        }
        addAll(chosen, container);
        for (ServerEndpointConfig config : programmatic) {
            container.addEndpoint(config);
        }
    }

    /** Abstract superclasses are not endpoints, and classes that are not public cannot be instantiated. */
    private static boolean isCandidate(Class<?> type) {
        int modifiers = type.getModifiers();
        return Modifier.isPublic(modifiers) && !Modifier.isAbstract(modifiers) && !type.isInterface();
    }

    private static void addAll(Set<Class<?>> annotated, Container container) throws DeploymentException {
        for (Class<?> type : annotated) {
            container.addEndpoint(type);
        }
    }

    private static <T> Set<T> orNone(@Nullable Set<T> chosen) {
        return chosen == null ? Set.of() : chosen;
    }

    private static ServerApplicationConfig make(Class<? extends ServerApplicationConfig> type)
            throws DeploymentException {
        try {
            return type.getConstructor().newInstance();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            throw new DeploymentException(
                    "the ServerApplicationConfig " + type.getName()
                            + " cannot be instantiated by its public no-argument constructor: " + e,
                    e);
        }
    }

    /** Handles WebSocket handshakes for paths of endpoints; servlets handle all other requests. Thread-safe. */
    private static final class HandshakeResponder implements UpgradeResponder {

        /** How long a stopping application waits until all sessions are closed and their onClose methods have returned. */
        private static final long STOP_MILLIS = 5_000;

        /** How long it waits after it has aborted the connections of the remaining sessions. */
        private static final long ABORT_MILLIS = 2_000;

        private final Container container;
        private final int contextLength;
        private final String application;

        /** @param contextPath escaped; empty for the root */
        HandshakeResponder(Container container, String contextPath) {
            this.container = container;
            RequestPath decoded = RequestPath.parse(contextPath, EncodedSlash.DECODE);
            this.contextLength =
                    decoded == null ? contextPath.length() : decoded.decoded().length();
            this.application = contextPath.isEmpty() ? "/" : contextPath;
        }

        @Override
        public boolean isIdle() {
            return container.isIdle();
        }

        @Override
        public boolean answer(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            RequestHead head = Upgrades.exchange(request).request();
            if (!WebSocketHandshake.isRequested(head)) {
                return false;
            }
            var match = container.find(path(request, head));
            if (match == null) {
                return false;
            }
            new Handshake(container, match.endpoint(), match.parameters(), request, response).answer();
            return true;
        }

        /** The requested path, because the servlet path may be that of a welcome file; after a forward, the path of the target. */
        private String path(HttpServletRequest request, RequestHead head) {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                return head.path().decoded().substring(contextLength);
            }
            String info = request.getPathInfo();
            return info == null ? request.getServletPath() : request.getServletPath() + info;
        }

        @Override
        public void stop() {
            container.closeClients();
            if (container.sessions().stop(STOP_MILLIS) > 0) {
                container.sessions().abortAll();
                int left = container.sessions().stop(ABORT_MILLIS);
                if (left > 0) {
                    WebSocketLog.SERVER.sessionsLeft(left, application, STOP_MILLIS + ABORT_MILLIS);
                }
            }
        }
    }
}
