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
 * Gives an application its server container, as the attribute {@code javax.websocket.server.ServerContainer} of its context, and
 * deploys the endpoints that its classes declare (JSR 356, 6.2). Deployed applications find it by themselves where this jar is on
 * the container's class path; one put together in code asks for it: {@code configure(WebSocketInitializer::enable)}.
 */
@HandlesTypes({ServerEndpoint.class, ServerApplicationConfig.class, Endpoint.class})
public final class WebSocketInitializer implements ServletContainerInitializer {

    private static final String ATTRIBUTE = ServerContainer.class.getName();

    /** For the servlet layer. */
    public WebSocketInitializer() {}

    /**
     * Gives an application that was put together in code its container, while it starts.
     *
     * @throws IllegalStateException if a context parameter has a value of no use
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
     * Deploys what the application declares.
     *
     * @param types those of its classes that matter, whether they are meant or not; null if there are none
     * @throws ServletException if an endpoint can't be deployed; the message is for the operator
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
            if (!isMeant(type)) {
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

    /** A library's superclasses of endpoints are none, nor is what others can't use. */
    private static boolean isMeant(Class<?> type) {
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
            throw new DeploymentException("the ServerApplicationConfig " + type.getName() + " can't be made: " + e, e);
        }
    }
}
