package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import javax.websocket.CloseReason;
import javax.websocket.DeploymentException;
import javax.websocket.Encoder;
import javax.websocket.Endpoint;
import javax.websocket.EndpointConfig;
import javax.websocket.OnClose;
import javax.websocket.OnError;
import javax.websocket.OnMessage;
import javax.websocket.OnOpen;
import javax.websocket.Session;
import javax.websocket.server.PathParam;
import javax.websocket.server.ServerContainer;
import javax.websocket.server.ServerEndpoint;
import javax.websocket.server.ServerEndpointConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Deployment (JSR 356, 4 and 6): the container … */
@SuppressWarnings("FutureReturnValueIgnored") // the tests wait for the results
class DeploymentTest {

    private static EndpointServer server;
    private static ServerContainer container;

    @BeforeAll
    static void start() throws Exception {
        server = EndpointServer.of(Fine.class);
        container = server.container();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ServerEndpoint("/fine")
    public static class Fine {
        @OnMessage
        public String text(String message) {
            return "fine " + message;
        }
    }

    @ServerEndpoint("no-slash")
    public static class NoSlash {}

    @ServerEndpoint("/{a}/{a}")
    public static class TwiceTheName {}

    @ServerEndpoint("/fine")
    public static class SamePath {}

    @ServerEndpoint("/x")
    public static class TwoOpens {
        @OnOpen
        public void one() {}

        @OnOpen
        public void two() {}
    }

    @ServerEndpoint("/x")
    public static class OpenWithReason {
        @OnOpen
        public void open(CloseReason reason) {}
    }

    @ServerEndpoint("/x")
    public static class CloseWithConfig {
        @OnClose
        public void close(EndpointConfig config) {}
    }

    @ServerEndpoint("/x")
    public static class ErrorWithoutThrowable {
        @OnError
        public void error(Session session) {}
    }

    @ServerEndpoint("/x")
    public static class TwoTexts {
        @OnMessage
        public void one(String message) {}

        @OnMessage
        public void two(int message) {}
    }

    @ServerEndpoint("/x")
    public static class NoMessage {
        @OnMessage
        public void message(Session session) {}
    }

    @ServerEndpoint("/x")
    public static class TwoMessages {
        @OnMessage
        public void message(String one, String other) {}
    }

    @ServerEndpoint("/x")
    public static class PartsOfNumbers {
        @OnMessage
        public void message(int part, boolean last) {}
    }

    @ServerEndpoint("/x")
    public static class NoDecoder {
        @OnMessage
        public void message(List<String> list) {}
    }

    @ServerEndpoint("/x/{a}")
    public static class PathParameterOfList {
        @OnOpen
        public void open(@PathParam("a") List<String> list) {}
    }

    /** Does not declare what it encodes. */
    public static class Untyped<T> implements Encoder.Text<T> {
        @Override
        public String encode(T object) {
            return "";
        }

        @Override
        public void init(EndpointConfig config) {}

        @Override
        public void destroy() {}
    }

    @ServerEndpoint(value = "/x", encoders = Untyped.class)
    public static class UntypedEncoder {}

    /** Cannot be instantiated. */
    public static class Hidden extends ServerEndpointConfig.Configurator {
        Hidden(int secret) {}
    }

    @ServerEndpoint(value = "/x", configurator = Hidden.class)
    public static class HiddenConfigurator {}

    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of(NoSlash.class, "does not begin with a slash"),
                Arguments.of(TwiceTheName.class, "occurs twice"),
                Arguments.of(SamePath.class, "have the same path"),
                Arguments.of(TwoOpens.class, "two methods with @OnOpen"),
                Arguments.of(OpenWithReason.class, "is neither Session, EndpointConfig nor"),
                Arguments.of(CloseWithConfig.class, "is neither Session, CloseReason nor"),
                Arguments.of(ErrorWithoutThrowable.class, "requires a parameter of type Throwable"),
                Arguments.of(TwoTexts.class, "two @OnMessage methods for text messages"),
                Arguments.of(NoMessage.class, "one parameter for the message"),
                Arguments.of(TwoMessages.class, "one parameter for the message"),
                Arguments.of(PartsOfNumbers.class, "partial messages can be received as String"),
                Arguments.of(NoDecoder.class, "no decoder of the endpoint produces a java.util.List"),
                Arguments.of(PathParameterOfList.class, "@PathParam(\"a\")"),
                Arguments.of(UntypedEncoder.class, "does not declare the type of its messages"),
                Arguments.of(HiddenConfigurator.class, "the configurator"),
                Arguments.of(DeploymentTest.class, "not annotated with @ServerEndpoint"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void refuses(Class<?> endpoint, String why) {
        DeploymentException refusal = assertThrows(DeploymentException.class, () -> container.addEndpoint(endpoint));
        assertTrue(String.valueOf(refusal.getMessage()).contains(why), refusal.toString());
    }

    /** From a configuration. */
    public static class Configured extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.getAsyncRemote().sendText("configured");
        }
    }

    @Test
    void takesEndpointsWhileTheApplicationRuns() throws Exception {
        container.addEndpoint(
                ServerEndpointConfig.Builder.create(Configured.class, "/later").build());
        assertEquals("text configured", server.connect("/later").next());
    }

    @Test
    void takesTheSameClassTwice() throws Exception {
        container.addEndpoint(Fine.class);
        assertEquals("text fine x", server.connect("/fine").ask("x"));
    }

    /** Responds with its creator. */
    @ServerEndpoint("/made")
    public static class Made {
        private final String by;

        public Made() {
            this("constructor");
        }

        Made(String by) {
            this.by = by;
        }

        @OnMessage
        public String text(String message) {
            return by;
        }
    }

    @Test
    void putsAConfigurationInThePlaceOfTheAnnotation() throws Exception {
        container.addEndpoint(Made.class);
        container.addEndpoint(ServerEndpointConfig.Builder.create(Made.class, "/made")
                .configurator(new ServerEndpointConfig.Configurator() {
                    @Override
                    public <T> T getEndpointInstance(Class<T> type) {
                        return type.cast(new Made("configurator"));
                    }
                })
                .build());
        assertEquals("text configurator", server.connect("/made").ask(""));
    }

    @Test
    void failsTheStartOfTheApplication() {
        assertThrows(Exception.class, () -> EndpointServer.of(TwoTexts.class).close());
    }

    @Test
    void rejectsEndpointsAfterAHandshakeIfAParameterForbidsThem() throws Exception {
        try (EndpointServer strict = EndpointServer.of(
                container -> container.addEndpoint(Fine.class),
                app -> app.initParameter("org.apache.tomcat.websocket.noAddAfterHandshake", "true"))) {
            strict.container().addEndpoint(Made.class);
            strict.connect("/fine");
            assertThrows(
                    DeploymentException.class,
                    () -> strict.container()
                            .addEndpoint(ServerEndpointConfig.Builder.create(Configured.class, "/later")
                                    .build()));
        }
    }
}
