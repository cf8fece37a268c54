package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.websocket.Decoder;
import javax.websocket.Encoder;
import javax.websocket.EndpointConfig;
import javax.websocket.OnError;
import javax.websocket.OnMessage;
import javax.websocket.server.ServerEndpoint;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Encoders and decoders (JSR 356, 4.1.2 and 4.1.3): a session … */
public class CodersTest {

    private static final BlockingQueue<String> EVENTS = new LinkedBlockingQueue<>();

    record Point(int x, int y) {}

    record Line(String text) {}

    record Blob(List<Byte> bytes) {}

    record Stream(String text) {}

    @BeforeEach
    void forget() {
        EVENTS.clear();
    }

    private static String event() throws InterruptedException {
        return String.valueOf(EVENTS.poll(30, TimeUnit.SECONDS));
    }

    /** Records its lifecycle calls. */
    public abstract static class Coder implements Encoder, Decoder {
        @Override
        public void init(EndpointConfig config) {
            EVENTS.add("init " + getClass().getSimpleName());
        }

        @Override
        public void destroy() {
            EVENTS.add("destroy " + getClass().getSimpleName());
        }
    }

    /** Encodes and decodes; willDecode is false without a comma. */
    public static final class PointCoder extends Coder implements Encoder.Text<Point>, Decoder.Text<Point> {
        @Override
        public String encode(Point point) {
            return point.x() + "," + point.y();
        }

        @Override
        public boolean willDecode(String text) {
            return text.contains(",");
        }

        @Override
        public Point decode(String text) {
            String[] numbers = text.split(",", -1);
            return new Point(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
        }
    }

    /** The second decoder. */
    public static final class SpacedPointDecoder extends Coder implements Decoder.Text<Point> {
        @Override
        public boolean willDecode(String text) {
            return text.contains(" ");
        }

        @Override
        public Point decode(String text) {
            return new Point(Integer.parseInt(text.substring(0, text.indexOf(' '))), 0);
        }
    }

    @ServerEndpoint(
            value = "/points",
            encoders = PointCoder.class,
            decoders = {PointCoder.class, SpacedPointDecoder.class})
    public static class Points {
        @OnMessage
        public Point turn(Point point) {
            return new Point(point.y(), point.x());
        }

        @OnError
        public void error(Throwable failure) {
            EVENTS.add(failure.getClass().getSimpleName());
        }
    }

    @Test
    void decodesByTheFirstThatWill() throws Exception {
        try (EndpointServer server = EndpointServer.of(Points.class)) {
            EndpointClient client = server.connect("/points");
            assertEquals("text 2,1", client.ask("1,2"));
            assertEquals("text 0,7", client.ask("7 x"));
        }
    }

    @Test
    void reportsAMessageThatNoDecoderAcceptsToTheErrorMethod() throws Exception {
        try (EndpointServer server = EndpointServer.of(Points.class)) {
            EndpointClient client = server.connect("/points");
            client.send("nothing");
            assertEquals("init PointCoder", event());
            assertEquals("init SpacedPointDecoder", event());
            assertEquals("DecodeException", event());
            client.send("one,two");
            assertEquals("DecodeException", event());
            assertEquals("text 2,1", client.ask("1,2"));
        }
    }

    @Test
    void hasCodersOfItsOwnWhichEndWithIt() throws Exception {
        try (EndpointServer server = EndpointServer.of(Points.class)) {
            EndpointClient client = server.connect("/points");
            client.ask("1,2");
            client.ask("1,2");
            assertEquals("init PointCoder", event());
            client.close(1000, "");
            assertEquals("destroy PointCoder", event());
        }
    }

    /** Character streams. */
    public static final class LineCoder extends Coder implements Encoder.TextStream<Line>, Decoder.TextStream<Line> {
        @Override
        public void encode(Line line, Writer out) throws IOException {
            out.write("<" + line.text() + ">");
        }

        @Override
        public Line decode(Reader in) throws IOException {
            char[] some = new char[50];
            return new Line(new String(some, 0, in.read(some)));
        }
    }

    /** Binary messages. */
    public static final class BlobCoder extends Coder implements Encoder.Binary<Blob>, Decoder.Binary<Blob> {
        @Override
        public ByteBuffer encode(Blob blob) {
            ByteBuffer bytes = ByteBuffer.allocate(blob.bytes().size());
            blob.bytes().forEach(bytes::put);
            return bytes.flip();
        }

        @Override
        public boolean willDecode(ByteBuffer bytes) {
            return bytes.get() == 'b';
        }

        @Override
        public Blob decode(ByteBuffer bytes) {
            return new Blob(List.of(bytes.get(), (byte) '!'));
        }
    }

    @ServerEndpoint(
            value = "/both",
            encoders = {LineCoder.class, BlobCoder.class},
            decoders = {LineCoder.class, BlobCoder.class})
    public static class Both {
        @OnMessage
        public Line text(Line line) {
            return line;
        }

        @OnMessage
        public Blob binary(Blob blob) {
            return blob;
        }
    }

    @Test
    void decodesCharacterAndBinaryStreams() throws Exception {
        try (EndpointServer server = EndpointServer.of(Both.class)) {
            EndpointClient client = server.connect("/both");
            assertEquals("text <line>", client.ask("line"));
            assertEquals("binary b!", client.sendBinary("blob").next());
        }
    }

    /** Binary streams. */
    public static final class StreamCoder extends Coder
            implements Encoder.BinaryStream<Stream>, Decoder.BinaryStream<Stream> {
        @Override
        public void encode(Stream stream, OutputStream out) throws IOException {
            out.write(stream.text().getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public Stream decode(InputStream in) throws IOException {
            return new Stream(new String(in.readAllBytes(), StandardCharsets.US_ASCII) + "?");
        }
    }

    @ServerEndpoint(value = "/stream", encoders = StreamCoder.class, decoders = StreamCoder.class)
    public static class Streaming {
        @OnMessage
        public Object binary(Stream stream) {
            return stream;
        }

        @OnMessage
        public Object text(boolean yes) {
            return yes ? "1" : (Object) 'n';
        }
    }

    @Test
    void encodesWhatIsReturnedByItsClass() throws Exception {
        try (EndpointServer server = EndpointServer.of(Streaming.class)) {
            EndpointClient client = server.connect("/stream");
            assertEquals("binary stream?", client.sendBinary("stream").next());
            assertEquals("text 1", client.ask("true"));
            assertEquals("text n", client.ask("no"));
        }
    }
}
