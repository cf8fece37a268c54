package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.websocket.CloseReason;
import javax.websocket.EndpointConfig;
import javax.websocket.OnClose;
import javax.websocket.OnError;
import javax.websocket.OnMessage;
import javax.websocket.OnOpen;
import javax.websocket.PongMessage;
import javax.websocket.Session;
import javax.websocket.server.PathParam;
import javax.websocket.server.ServerEndpoint;
import javax.websocket.server.ServerEndpointConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Annotated endpoints (JSR 356, 4): an endpoint of a class … */
@SuppressWarnings("FutureReturnValueIgnored") // the tests wait for the results
public class AnnotatedEndpointTest {

    private static final BlockingQueue<String> EVENTS = new LinkedBlockingQueue<>();

    @BeforeEach
    void forget() {
        EVENTS.clear();
    }

    private static String event() throws InterruptedException {
        return String.valueOf(EVENTS.poll(30, TimeUnit.SECONDS));
    }

    @ServerEndpoint("/echo")
    public static class Echo {
        @OnMessage
        public String text(String message) {
            return message;
        }

        @OnMessage
        public byte[] binary(byte[] message) {
            return message;
        }

        @OnMessage
        public void pong(PongMessage message, Session session) throws IOException {
            session.getBasicRemote()
                    .sendText("pong " + StandardCharsets.ISO_8859_1.decode(message.getApplicationData()));
        }
    }

    @Test
    void sendsWhatItsMethodsReturn() throws Exception {
        try (EndpointServer server = EndpointServer.of(Echo.class)) {
            EndpointClient client = server.connect("/echo");
            assertEquals("text hällo 😀", client.ask("hällo 😀"));
            assertEquals("text ", client.ask(""));
            assertEquals("binary octets", client.sendBinary("octets").next());
            client.socket().sendPong(ByteBuffer.wrap(new byte[] {'!'}));
            assertEquals("text pong !", client.next());
            client.socket().sendPing(ByteBuffer.wrap(new byte[] {'?'}));
            assertEquals("pong ?", client.next());
        }
    }

    @Test
    void takesMessagesThatComeInFrames() throws Exception {
        try (EndpointServer server = EndpointServer.of(Echo.class)) {
            EndpointClient client = server.connect("/echo");
            assertEquals(
                    "text abc",
                    client.send("a", false).send("b", false).send("c", true).next());
        }
    }

    /** All lifecycle methods. */
    @ServerEndpoint("/life/{who}/{times}")
    public static class Life {
        @OnOpen
        public void open(
                @PathParam("who") String who, Session session, @PathParam("times") int times, EndpointConfig config) {
            boolean same = config instanceof ServerEndpointConfig;
            EVENTS.add("open " + who + " " + times + " " + same + " " + session.isOpen());
        }

        @OnMessage
        public void message(Session session, int number, @PathParam("times") Long times) throws IOException {
            session.getBasicRemote().sendText(String.valueOf(number * times));
        }

        @OnClose
        public void close(CloseReason reason, @PathParam("none") String none) {
            EVENTS.add("close " + reason.getCloseCode().getCode() + " " + reason.getReasonPhrase() + " " + none);
        }

        @OnError
        public void error(Throwable failure, Session session, @PathParam("who") String who) {
            EVENTS.add("error " + failure.getClass().getSimpleName() + " " + who);
        }
    }

    @Test
    void isNotifiedOfOpenMessagesAndClose() throws Exception {
        try (EndpointServer server = EndpointServer.of(Life.class)) {
            EndpointClient client = server.connect("/life/J%C3%B6rg/3");
            assertEquals("open Jörg 3 true true", event());
            assertEquals("text 21", client.ask("7"));
            client.send("seven");
            assertEquals("error DecodeException Jörg", event());
            assertEquals("text 6", client.ask("2"));
            client.close(1000, "enough");
            assertEquals("close 1000 enough null", event());
        }
    }

    @Test
    void reportsAPathParameterOfAnotherTypeToTheErrorMethod() throws Exception {
        try (EndpointServer server = EndpointServer.of(Life.class)) {
            EndpointClient client = server.connect("/life/me/often");
            assertEquals("error DecodeException me", event());
            assertEquals("close 1011", client.next());
        }
    }

    @Test
    void isNotifiedOfALostClient() throws Exception {
        try (EndpointServer server = EndpointServer.of(Life.class)) {
            EndpointClient client = server.connect("/life/me/1");
            assertEquals("open me 1 true true", event());
            client.socket().abort();
            assertTrue(event().startsWith("error "));
            assertEquals("close 1006  null", event());
        }
    }

    @ServerEndpoint("/parts")
    public static class Parts {
        @OnMessage
        public void text(String part, boolean last, Session session) throws IOException {
            session.getBasicRemote().sendText(part + (last ? "." : "|"), last);
        }

        @OnMessage
        public void binary(boolean last, ByteBuffer part, Session session) throws IOException {
            session.getBasicRemote().sendBinary(part, last);
        }
    }

    @Test
    void takesMessagesInParts() throws Exception {
        try (EndpointServer server = EndpointServer.of(Parts.class)) {
            EndpointClient client = server.connect("/parts");
            client.send("one", false).send("two", true);
            assertEquals("text one|two.", client.next());
            client.sendBinary("one", false).sendBinary("two", true);
            StringBuilder all = new StringBuilder();
            String event = client.next();
            while (event.startsWith("part ")) {
                all.append(event.substring(5));
                event = client.next();
            }
            assertEquals("onetwo", all + event.substring("binary ".length()));
        }
    }

    @Test
    void takesAMessageOfAnySizeInParts() throws Exception {
        try (EndpointServer server = EndpointServer.of(Parts.class)) {
            EndpointClient client = server.connect("/parts");
            String much = "x".repeat(300_000);
            String answer = client.ask(much);
            assertEquals("text " + much, answer.replace("|", "").replace(".", ""));
        }
    }

    @ServerEndpoint("/streams")
    public static class Streams {
        @OnMessage
        public String text(Reader message) throws IOException {
            char[] some = new char[100];
            return new String(some, 0, message.read(some));
        }

        @OnMessage
        public ByteBuffer binary(InputStream message) throws IOException {
            return ByteBuffer.wrap(message.readAllBytes());
        }
    }

    @Test
    void takesStreams() throws Exception {
        try (EndpointServer server = EndpointServer.of(Streams.class)) {
            EndpointClient client = server.connect("/streams");
            assertEquals("text read", client.ask("read"));
            assertEquals("binary octets", client.sendBinary("octets").next());
        }
    }

    @ServerEndpoint("/limited")
    public static class Limited {
        @OnMessage(maxMessageSize = 10)
        public String text(String message) {
            return message;
        }
    }

    @Test
    void rejectsMessagesAboveMaxMessageSize() throws Exception {
        try (EndpointServer server = EndpointServer.of(Limited.class)) {
            EndpointClient client = server.connect("/limited");
            assertEquals("text 0123456789", client.ask("0123456789"));
            assertTrue(client.ask("0123456789a").startsWith("close 1009"));
        }
    }

    /** Overrides one method, inherits another. */
    @ServerEndpoint("/heir")
    public static class Heir extends Life {
        @Override
        @OnOpen
        public void open(String who, Session session, int times, EndpointConfig config) {
            EVENTS.add("heir");
        }
    }

    /** Fails in its method, and has no error handler. */
    @ServerEndpoint("/failing")
    public static class Failing {
        @OnMessage
        public String text(String message) {
            if (message.equals("fail")) {
                throw new IllegalArgumentException("as told");
            }
            return message;
        }
    }

    @Test
    void goesOnAfterAFailure() throws Exception {
        try (EndpointServer server = EndpointServer.of(Failing.class)) {
            EndpointClient client = server.connect("/failing");
            assertEquals("text on", client.send("fail").ask("on"));
        }
    }

    /** An instance per session, with the application's class loader in every call. */
    @ServerEndpoint("/own")
    public static class Own {
        private int count;
        private final ClassLoader made = Thread.currentThread().getContextClassLoader();

        @OnMessage
        public String text(String message) {
            count++;
            boolean same = made.equals(Thread.currentThread().getContextClassLoader());
            return count + " " + same;
        }

        @OnClose
        public void close() {
            EVENTS.add("loader " + made.equals(Thread.currentThread().getContextClassLoader()));
        }
    }

    @Test
    void hasAnInstanceForEachSession() throws Exception {
        try (EndpointServer server = EndpointServer.of(Own.class)) {
            EndpointClient one = server.connect("/own");
            EndpointClient other = server.connect("/own");
            assertEquals(
                    Arrays.asList("text 1 true", "text 2 true", "text 1 true"),
                    Arrays.asList(one.ask(""), one.ask(""), other.ask("")));
            one.close(1000, "");
            assertEquals("loader true", event());
        }
    }

    /** Without an error handler. */
    @ServerEndpoint("/late")
    public static class Late {
        @OnMessage
        public String answer(String message, Session session) throws IOException {
            if (message.equals("fail")) {
                throw new IllegalArgumentException("planted");
            }
            session.close(); // the peer may do that at any time
            return message;
        }

        @OnClose
        public void close() {
            EVENTS.add("closed");
        }
    }

    @Test
    void logsNoStackTraceForAnAnswerToAPeerThatIsGone() throws Exception {
        BlockingQueue<LogRecord> logged = new LinkedBlockingQueue<>();
        Handler listener = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getLoggerName().equals("io.millrace.websocket.jsr")) { // not the logger of deployments
                    logged.add(line);
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger("io.millrace.websocket.jsr");
        log.addHandler(listener);
        try (EndpointServer server = EndpointServer.of(Late.class)) {
            for (int i = 0; i < 3; i++) {
                server.connect("/late").send("late");
                assertEquals("closed", event());
            }
            assertTrue(logged.size() <= 1, () -> logged.size() + " lines");
            logged.forEach(line -> assertNull(line.getThrown()));
            logged.clear();
            server.connect("/late").send("fail");
            LogRecord line = logged.poll(30, TimeUnit.SECONDS);
            assertTrue(line != null && line.getThrown() instanceof IllegalArgumentException);
        } finally {
            log.removeHandler(listener);
        }
    }
}
