package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.websocket.CloseReason;
import javax.websocket.DecodeException;
import javax.websocket.Decoder;
import javax.websocket.EncodeException;
import javax.websocket.Encoder;
import javax.websocket.EndpointConfig;
import javax.websocket.OnClose;
import javax.websocket.OnError;
import javax.websocket.OnMessage;
import javax.websocket.OnOpen;
import javax.websocket.Session;
import javax.websocket.server.PathParam;
import javax.websocket.server.ServerEndpoint;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Unusual endpoints (JSR 356): an endpoint … */
public class EndpointRulesTest {

    private static final BlockingQueue<String> EVENTS = new LinkedBlockingQueue<>();

    @BeforeEach
    void forget() {
        EVENTS.clear();
    }

    private static String event() throws InterruptedException {
        return String.valueOf(EVENTS.poll(30, TimeUnit.SECONDS));
    }

    /** All types of 4.3. */
    @ServerEndpoint("/types/{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}")
    public static class Types {
        @OnMessage
        public String text(
                @PathParam("a") byte a,
                @PathParam("b") Short b,
                @PathParam("c") int c,
                @PathParam("d") Long d,
                Session session,
                @PathParam("e") float e,
                @PathParam("f") Double f,
                String text,
                @PathParam("g") boolean g,
                @PathParam("h") Character h,
                @PathParam("none") @Nullable String none) {
            return text
                    + ' '
                    + a
                    + b
                    + c
                    + d
                    + e
                    + f
                    + g
                    + h
                    + none
                    + session.getPathParameters().get("h");
        }
    }

    @Test
    void takesPathParametersOfAllTypesInAnyOrder() throws Exception {
        try (EndpointServer server = EndpointServer.of(Types.class)) {
            EndpointClient client = server.connect("/types/1/2/3/4/5.5/6.5/true/%C3%A4");
            assertEquals("text x 12345.56.5true\u00e4null\u00e4", client.ask("x"));
        }
    }

    /** A generic class. */
    public abstract static class Answering<T> {
        @OnMessage
        public T answer(T message) {
            return message;
        }

        @OnOpen
        public void open() {
            EVENTS.add("open");
        }

        @OnError
        public void error(Throwable failure) {
            EVENTS.add(failure.getClass().getSimpleName());
        }

        @OnClose
        public void close(CloseReason reason) {
            EVENTS.add("close " + reason.getCloseCode().getCode());
        }
    }

    @ServerEndpoint("/generic")
    public static class Generic extends Answering<Integer> {}

    @Test
    void inheritsItsMethods() throws Exception {
        try (EndpointServer server = EndpointServer.of(Generic.class)) {
            EndpointClient client = server.connect("/generic");
            assertEquals("open", event());
            assertEquals("text 7", client.ask("7"));
            client.send("seven");
            assertEquals("DecodeException", event());
            assertEquals("text 8", client.ask("8"));
            client.close(4001, "enough");
            assertEquals("close 4001", event());
        }
    }

    @ServerEndpoint("/overridden")
    public static class Overridden extends Answering<String> {
        @Override
        @OnMessage
        public String answer(String message) {
            return "mine " + message;
        }
    }

    @Test
    void hasTheMethodThatOverridesAnother() throws Exception {
        try (EndpointServer server = EndpointServer.of(Overridden.class)) {
            assertEquals("text mine x", server.connect("/overridden").ask("x"));
        }
    }

    /** A type whose subtypes the same coders encode and decode. */
    interface Shape {}

    record Square(int side) implements Shape {}

    record Circle() implements Shape {}

    public abstract static class Coding implements Encoder, Decoder {
        @Override
        public void init(EndpointConfig config) {}

        @Override
        public void destroy() {}
    }

    /** Leaves the type to its subclass. */
    public abstract static class TextCoding<T> extends Coding implements Encoder.Text<T>, Decoder.Text<T> {}

    public static final class Shapes extends TextCoding<Shape> {
        @Override
        public String encode(Shape shape) throws EncodeException {
            if (shape instanceof Square square) {
                return "square " + square.side();
            }
            throw new EncodeException(shape, "not a square");
        }

        @Override
        public boolean willDecode(String text) {
            if (text.isEmpty()) {
                throw new IllegalStateException("nothing");
            }
            return true;
        }

        @Override
        public Shape decode(String text) throws DecodeException {
            if (text.equals("circle")) {
                return new Circle();
            }
            try {
                return new Square(Integer.parseInt(text));
            } catch (NumberFormatException wrong) {
                throw new DecodeException(text, "no number", wrong);
            }
        }
    }

    /** For a type that has its own encoding. */
    public static final class Hexadecimal extends TextCoding<Integer> {
        @Override
        public String encode(Integer number) {
            return Integer.toHexString(number);
        }

        @Override
        public boolean willDecode(String text) {
            return true;
        }

        @Override
        public Integer decode(String text) {
            return Integer.valueOf(text, 16);
        }
    }

    @ServerEndpoint(value = "/shapes", encoders = Shapes.class, decoders = Shapes.class)
    public static class ShapeEndpoint {
        @OnMessage
        public Shape answer(Shape shape, Session session) throws Exception {
            if (shape instanceof Square square && square.side() == 0) {
                session.getBasicRemote().sendObject(List.of());
            }
            return shape;
        }

        @OnError
        public void error(Throwable failure) {
            EVENTS.add(failure.getClass().getSimpleName());
        }
    }

    @Test
    void goesOnWhenItsCodersFail() throws Exception {
        try (EndpointServer server = EndpointServer.of(ShapeEndpoint.class)) {
            EndpointClient client = server.connect("/shapes");
            assertEquals("text square 3", client.ask("3"));
            client.send("x");
            assertEquals("DecodeException", event());
            client.send("");
            assertEquals("DecodeException", event());
            client.send("circle");
            assertEquals("EncodeException", event());
            client.send("0");
            assertEquals("EncodeException", event());
            assertEquals("text square 4", client.ask("4"));
        }
    }

    @ServerEndpoint(value = "/hex", encoders = Hexadecimal.class, decoders = Hexadecimal.class)
    public static class Hex {
        @OnMessage
        public Integer next(int number) {
            return number + 1;
        }
    }

    @Test
    void prefersItsCodersToThoseOfPrimitiveTypes() throws Exception {
        try (EndpointServer server = EndpointServer.of(Hex.class)) {
            assertEquals("text 10", server.connect("/hex").ask("f"));
        }
    }

    /** One method for each kind. */
    public static final class Circles extends TextCoding<Circle> {
        @Override
        public String encode(Circle circle) {
            return "circle";
        }

        @Override
        public boolean willDecode(String text) {
            return text.equals("circle");
        }

        @Override
        public Circle decode(String text) {
            return new Circle();
        }
    }

    public static final class Squares extends TextCoding<Square> {
        @Override
        public String encode(Square square) {
            return "square";
        }

        @Override
        public boolean willDecode(String text) {
            return text.equals("square");
        }

        @Override
        public Square decode(String text) {
            return new Square(1);
        }
    }

    @ServerEndpoint(
            value = "/kinds",
            encoders = {Circles.class, Squares.class},
            decoders = {Circles.class, Squares.class})
    public static class Kinds {
        @OnMessage
        public Shape answer(Shape shape) {
            return shape instanceof Circle ? new Square(1) : new Circle();
        }
    }

    @Test
    void acceptsDecodersOfSubtypes() throws Exception {
        try (EndpointServer server = EndpointServer.of(Kinds.class)) {
            EndpointClient client = server.connect("/kinds");
            assertEquals("text square", client.ask("circle"));
            assertEquals("text circle", client.ask("square"));
        }
    }

    /** Sends the requested messages. */
    @ServerEndpoint("/objects")
    public static class Objects {
        @OnMessage
        public void send(String what, Session session) throws Exception {
            switch (what) {
                case "int" -> session.getBasicRemote().sendObject(5);
                case "boolean" -> session.getBasicRemote().sendObject(true);
                case "char" -> session.getAsyncRemote().sendObject('c').get(10, TimeUnit.SECONDS);
                case "string" -> session.getBasicRemote().sendObject("s");
                case "octets" -> session.getBasicRemote().sendObject(new byte[] {'o'});
                case "buffer" -> session.getBasicRemote().sendObject(ByteBuffer.wrap(new byte[] {'b'}));
                case "null" ->
                    EVENTS.add(assertThrows(
                                    IllegalArgumentException.class,
                                    () -> session.getBasicRemote().sendObject(null))
                            .getClass()
                            .getSimpleName());
                default ->
                    EVENTS.add(assertThrows(
                                    EncodeException.class,
                                    () -> session.getBasicRemote().sendObject(new Object()))
                            .getClass()
                            .getSimpleName());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "int, text 5",
        "boolean, text true",
        "char, text c",
        "string, text s",
        "octets, binary o",
        "buffer, binary b"
    })
    void sendsObjectsThatNeedNoEncoder(String what, String sent) throws Exception {
        try (EndpointServer server = EndpointServer.of(Objects.class)) {
            assertEquals(sent, server.connect("/objects").ask(what));
        }
    }

    @Test
    void throwsAnEncodeExceptionWithoutAnEncoder() throws Exception {
        try (EndpointServer server = EndpointServer.of(Objects.class)) {
            EndpointClient client = server.connect("/objects");
            client.send("null");
            assertEquals("IllegalArgumentException", event());
            client.send("object");
            assertEquals("EncodeException", event());
        }
    }

    /** Returns each kind. */
    @ServerEndpoint("/returns")
    public static class Returns {
        @OnMessage
        public @Nullable Object text(String what) {
            return switch (what) {
                case "octets" -> new byte[] {'o'};
                case "buffer" -> ByteBuffer.wrap(new byte[] {'b'});
                case "long" -> 5L;
                case "null" -> nothing();
                default -> "said " + what;
            };
        }

        private static @Nullable Object nothing() {
            EVENTS.add("null");
            return null;
        }
    }

    @Test
    void sendsNothingIfItsMethodReturnsNull() throws Exception {
        try (EndpointServer server = EndpointServer.of(Returns.class)) {
            EndpointClient client = server.connect("/returns");
            assertEquals("binary o", client.ask("octets"));
            assertEquals("binary b", client.ask("buffer"));
            assertEquals("text 5", client.ask("long"));
            client.send("null");
            assertEquals("null", event());
            assertEquals("text said x", client.ask("x"));
        }
    }

    /** Changes the settings and user properties of its session. */
    @ServerEndpoint("/timed")
    public static class Timed {
        @OnOpen
        public void open(Session session) {
            EVENTS.add(
                    session.getMaxIdleTimeout() + " " + session.getContainer().getDefaultMaxSessionIdleTimeout());
            session.setMaxIdleTimeout(-1);
            session.getUserProperties().put("mine", session.getId());
        }

        @OnMessage
        public String text(String text, Session session) {
            if (text.equals("soon")) {
                session.setMaxIdleTimeout(3_000);
            }
            long others = session.getOpenSessions().stream()
                    .filter(Timed::hasPropertiesOfAnother)
                    .count();
            return session.getOpenSessions().size() + " open, " + others + " with properties of others";
        }

        private static boolean hasPropertiesOfAnother(Session session) {
            try {
                return !session.getId().equals(session.getUserProperties().get("mine"));
            } catch (IllegalStateException ended) { // closed after getOpenSessions returned it
                return false;
            }
        }

        @OnClose
        public void close(Session session, CloseReason reason) {
            EVENTS.add(session.isOpen() + " " + reason.getCloseCode().getCode() + " "
                    + session.getUserProperties().containsKey("mine"));
        }
    }

    @Test
    void changesTheIdleTimeoutOfItsSession() throws Exception {
        try (EndpointServer server = EndpointServer.of(Timed.class)) {
            EndpointClient first = server.connect("/timed");
            EndpointClient second = server.connect("/timed");
            assertEquals("0 0", event());
            assertEquals("0 0", event());
            assertEquals("text 2 open, 0 with properties of others", first.ask("x"));
            assertEquals("text 2 open, 0 with properties of others", second.ask("soon"));
            assertTrue(second.next().startsWith("close 1001"));
            assertEquals("false 1006 true", event());
            String answer = first.ask("x");
            while (answer.startsWith("text 2 open")) { // until its onClose has returned
                answer = first.ask("x");
            }
            assertEquals("text 1 open, 0 with properties of others", answer);
        }
    }
}
