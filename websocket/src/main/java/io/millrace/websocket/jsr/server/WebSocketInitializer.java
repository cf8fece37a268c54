package io.millrace.websocket.jsr.server;

import io.millrace.servlet.Upgrades;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.servlet.ServletContainerInitializer;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.annotation.HandlesTypes;
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
}
