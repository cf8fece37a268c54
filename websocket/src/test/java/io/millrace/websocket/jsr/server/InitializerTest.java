package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import javax.servlet.annotation.WebListener;
import javax.websocket.DeploymentException;
import javax.websocket.Endpoint;
import javax.websocket.EndpointConfig;
import javax.websocket.MessageHandler;
import javax.websocket.OnMessage;
import javax.websocket.Session;
import javax.websocket.server.ServerApplicationConfig;
import javax.websocket.server.ServerContainer;
import javax.websocket.server.ServerEndpoint;
import javax.websocket.server.ServerEndpointConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The endpoints of a WAR are deployed (JSR 356, 6.2): the initializer … */
@SuppressWarnings("FutureReturnValueIgnored") // the tests wait for the results
public class InitializerTest {

    @TempDir
    private Path directory = Path.of("");

    private Path war;

    @BeforeEach
    void makeWar() throws IOException {
        war = Files.createDirectories(directory.resolve("war"));
    }

    private InitializerTest with(Class<?>... types) throws IOException {
        for (Class<?> type : types) {
            Path file = war.resolve("WEB-INF/classes").resolve(name(type));
            Files.createDirectories(file.getParent());
            Files.write(file, bytes(type));
        }
        return this;
    }

    private static String name(Class<?> type) {
        return type.getName().replace('.', '/') + ".class";
    }

    private static byte[] bytes(Class<?> type) throws IOException {
        try (InputStream in = Objects.requireNonNull(type.getClassLoader().getResourceAsStream(name(type)))) {
            return in.readAllBytes();
        }
    }

    private EndpointServer start() throws IOException {
        return EndpointServer.ofWar(war, directory.resolve("work"));
    }

    /** An annotated endpoint. */
    @ServerEndpoint("/annotated/{x}")
    public static class Annotated {
        @OnMessage
        public String text(String message) {
            return "annotated " + message;
        }
    }

    /** Another annotated endpoint. */
    @ServerEndpoint("/other")
    public static class Other {
        @OnMessage
        public String text(String message) {
            boolean own = Thread.currentThread()
                    .getContextClassLoader()
                    .equals(getClass().getClassLoader());
            return "other " + own;
        }
    }

    /** Not deployed without a configuration. */
    public static class Programmatic extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.addMessageHandler(String.class, (MessageHandler.Whole<String>)
                    message -> session.getAsyncRemote().sendText("code " + message));
        }
    }

    /** Not deployed, because it is abstract. */
    @ServerEndpoint("/abstract")
    public abstract static class Unfinished {}

    @Test
    void deploysAnnotatedEndpoints() throws Exception {
        try (EndpointServer server = with(Annotated.class, Other.class, Programmatic.class, Unfinished.class)
                .start()) {
            assertEquals("text annotated x", server.connect("/annotated/1").ask("x"));
            assertEquals("text other true", server.connect("/other").ask("x"));
            assertEquals(404, server.refused("/abstract", builder -> {}).statusCode());
        }
    }

    @Test
    void deploysTheEndpointsOfLibraries() throws Exception {
        Path lib = Files.createDirectories(war.resolve("WEB-INF/lib"));
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(lib.resolve("endpoints.jar")))) {
            jar.putNextEntry(new JarEntry(name(Other.class)));
            jar.write(bytes(Other.class));
            jar.closeEntry();
        }
        try (EndpointServer server = start()) {
            assertEquals("text other true", server.connect("/other").ask("x"));
        }
    }

    /** Selects one of the annotated endpoints, and configures a programmatic one. */
    public static class Choice implements ServerApplicationConfig {
        @Override
        public Set<ServerEndpointConfig> getEndpointConfigs(Set<Class<? extends Endpoint>> types) {
            Set<ServerEndpointConfig> configs = new LinkedHashSet<>();
            types.forEach(type -> configs.add(
                    ServerEndpointConfig.Builder.create(type, "/code").build()));
            return configs;
        }

        @Override
        public Set<Class<?>> getAnnotatedEndpointClasses(Set<Class<?>> types) {
            types.removeIf(type -> type.getName().endsWith("Other"));
            return types;
        }
    }

    @Test
    void deploysWhatAServerApplicationConfigChooses() throws Exception {
        try (EndpointServer server = with(Annotated.class, Other.class, Programmatic.class, Choice.class)
                .start()) {
            assertEquals("text annotated x", server.connect("/annotated/1").ask("x"));
            assertEquals("text code x", server.connect("/code").ask("x"));
            assertEquals(404, server.refused("/other", builder -> {}).statusCode());
        }
    }

    /** Deploys endpoints in code, as Spring's exporter does. */
    @WebListener
    public static class Adding implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            ServerContainer container =
                    (ServerContainer) event.getServletContext().getAttribute(ServerContainer.class.getName());
            try {
                container.addEndpoint(ServerEndpointConfig.Builder.create(Programmatic.class, "/added")
                        .build());
            } catch (DeploymentException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void lendsItsContainerToListeners() throws Exception {
        try (EndpointServer server = with(Programmatic.class, Adding.class).start()) {
            assertEquals("text code x", server.connect("/added").ask("x"));
        }
    }

    /** Has the path of another endpoint. */
    @ServerEndpoint("/annotated/{y}")
    public static class SamePath {}

    @Test
    void failsTheDeploymentOfTwoEndpointsAtOnePath() throws Exception {
        with(Annotated.class, SamePath.class);
        Exception refusal = assertThrows(Exception.class, () -> start().close());
        Throwable cause = refusal;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        assertTrue(String.valueOf(cause.getMessage()).contains("have the same path"), cause.toString());
    }

    @Test
    void leavesOutTheInitializersOfOtherImplementations() throws Exception {
        Path lib = Files.createDirectories(war.resolve("WEB-INF/lib"));
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(lib.resolve("tyrus.jar")))) {
            jar.putNextEntry(new JarEntry("META-INF/services/javax.servlet.ServletContainerInitializer"));
            jar.write(
                    "org.glassfish.tyrus.servlet.TyrusServletContainerInitializer".getBytes(StandardCharsets.US_ASCII));
            jar.closeEntry();
        }
        try (EndpointServer server = with(Annotated.class).start()) {
            assertEquals("text annotated x", server.connect("/annotated/1").ask("x"));
        }
    }
}
