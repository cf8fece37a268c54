package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connector.http2.hpack.FieldTexts;
import io.millrace.connector.http2.hpack.HpackDecoder;
import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.PushStream;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Settings;
import io.millrace.testkit.ScriptedConnection;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Promises, frame by frame (RFC 9113, 6.6 and 8.4). */
final class PushPromiseTest {

    private static final Settings PUSHING = Settings.DEFAULTS.with(Http2Options.SERVER_PUSH, true);
    private static final String NO_PUSH = "0002 00000000";
    private static final String ONE_STREAM = "0003 00000001";
    private static final String CANCEL = "00000008";

    private final ScriptedConnection connection = new ScriptedConnection();
    private final List<RequestHead> requests = new ArrayList<>();
    private final List<HttpStream> streams = new ArrayList<>();
    private final List<String> lost = new ArrayList<>();

    private void serve(Settings options, Wire first) {
        connection.start(new Http2Protocol(options, "http").open(connection, null, (request, stream) -> {
            requests.add(request);
            streams.add(stream);
            stream.onClosed(cause -> {
                lost.add(request.target());
                stream.abort(cause);
            });
        }));
        connection.receive(first.toArray());
    }

    private static Wire begun(String settings) {
        return new Wire().bytes(Http2Reader.PREFACE).hex(Frames.SETTINGS, 0, 0, settings);
    }

    private PushStream pushing(int stream) {
        return (PushStream) streams.get(stream);
    }

    private boolean push(int stream, String target) {
        return pushing(stream).push("GET", target, new Headers().add("X-A", "b"));
    }

    private static void answer(HttpStream stream) {
        stream.send(new ResponseHead(), Payload.NOTHING, true, failure -> stream.end());
    }

    /** Type, stream and payload of the frames sent, except SETTINGS and WINDOW_UPDATE. */
    private List<String> sent() throws Exception {
        List<String> frames = new ArrayList<>();
        HpackDecoder decoder = new HpackDecoder(new FieldTexts());
        ByteBuffer bytes = ByteBuffer.wrap(connection.sentBytes());
        while (bytes.hasRemaining()) {
            int lengthAndType = bytes.getInt();
            bytes.get(); // the flags
            int id = bytes.getInt();
            byte[] payload = new byte[lengthAndType >>> 8];
            bytes.get(payload);
            switch (lengthAndType & 0xff) {
                case Frames.PUSH_PROMISE ->
                    frames.add("promise " + id + " " + ByteBuffer.wrap(payload).getInt()
                            + fields(decoder, payload, 4, false));
                case Frames.HEADERS -> frames.add("head " + id + fields(decoder, payload, 0, true));
                case Frames.RST_STREAM, Frames.GOAWAY ->
                    frames.add((lengthAndType & 0xff) + " " + id + " "
                            + HexFormat.of().formatHex(payload));
                default -> {}
            }
        }
        return frames;
    }

    private static String fields(HpackDecoder decoder, byte[] block, int from, boolean statusOnly) throws Exception {
        StringBuilder text = new StringBuilder();
        decoder.decode(block, from, block.length, 1 << 20, new HpackDecoder.Fields() {
            @Override
            public boolean field(String name, String value, boolean checked) {
                if (!statusOnly || name.equals(":status")) {
                    text.append(' ').append(name).append('=').append(value);
                }
                return true;
            }

            @Override
            public void tooLarge() {
                throw new AssertionError("too large");
            }
        });
        return text.toString();
    }

    @AfterEach
    void nothingIsHeld() {
        connection.breakOff();
        assertEquals(0, connection.channel().buffers().outstanding());
        streams.forEach(stream -> stream.abort(null));
    }

    @Test
    void isMadeBeforeTheResponsesOfBothStreams() throws Exception {
        serve(PUSHING, Wire.begun().get(1, "/"));
        Headers fields = new Headers().add("Cookie", "a=b").add("Authorization", "Basic x");
        assertTrue(pushing(0).canPush());
        assertTrue(pushing(0).push("HEAD", "/style.css?a", fields));
        RequestHead pushed = requests.get(1);
        assertEquals("HEAD /style.css a", pushed.method() + " " + pushed.path().decoded() + " " + pushed.query());
        assertEquals(0, pushed.contentLength());
        assertEquals("a.test", pushed.headers().get("host"));
        assertEquals("Basic x", pushed.headers().get("authorization"));
        answer(streams.get(1));
        answer(streams.get(0));
        assertEquals(
                List.of(
                        "promise 1 2 :method=HEAD :scheme=http :authority=a.test :path=/style.css?a cookie=a=b",
                        "head 2 :status=200",
                        "head 1 :status=200"),
                sent());
    }

    @Test
    void isNotMadeUnlessTheOperatorAllowsIt() {
        serve(Settings.DEFAULTS, Wire.begun().get(1, "/"));
        assertFalse(pushing(0).canPush());
        assertFalse(push(0, "/a"));
        assertEquals(1, requests.size());
    }

    @Test
    void isNotMadeToAClientThatDoesNotWantIt() {
        serve(PUSHING, begun(NO_PUSH).get(1, "/"));
        assertFalse(pushing(0).canPush());
        assertFalse(push(0, "/a"));
    }

    @Test
    void ceasesWhenTheClientWantsNoMore() {
        serve(PUSHING, Wire.begun().get(1, "/"));
        assertTrue(push(0, "/a"));
        connection.receive(new Wire().hex(Frames.SETTINGS, 0, 0, NO_PUSH).toArray());
        assertFalse(push(0, "/b"));
    }

    @Test
    void keepsToTheStreamsThatTheClientAllows() {
        serve(PUSHING, begun(ONE_STREAM).get(1, "/"));
        assertTrue(push(0, "/a"));
        assertFalse(push(0, "/b"));
        answer(streams.get(1));
        assertTrue(push(0, "/c"));
    }

    @Test
    void countsAmongTheExchangesOfTheConnection() throws Exception {
        serve(PUSHING.with(MuxOptions.MAX_CONCURRENT_STREAMS, 3), Wire.begun().get(1, "/"));
        assertTrue(push(0, "/a"));
        assertTrue(push(0, "/b"));
        assertFalse(push(0, "/c"));
        connection.receive(new Wire().get(3, "/refused").toArray());
        assertEquals(3, requests.size());
        assertEquals("3 3 00000007", sent().get(sent().size() - 1));
    }

    @Test
    void isNotMadeOnWhatIsPushed() {
        serve(PUSHING, Wire.begun().get(1, "/"));
        assertTrue(push(0, "/a"));
        assertFalse(pushing(1).canPush());
        assertFalse(push(1, "/b"));
    }

    @Test
    void isNotMadeBehindTheResponse() {
        serve(PUSHING, Wire.begun().get(1, "/"));
        answer(streams.get(0));
        assertFalse(pushing(0).canPush());
        assertFalse(push(0, "/a"));
    }

    @Test
    void isNotMadeToAClientThatLeaves() {
        serve(PUSHING, Wire.begun().get(1, "/"));
        connection.receive(
                new Wire().hex(Frames.GOAWAY, 0, 0, "00000000 00000000").toArray());
        assertFalse(push(0, "/a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "", "/../a", "/%zz", "/a b", "/a#b", "/\u00e9"})
    void isNotMadeOfWhatIsNoTarget(String target) {
        serve(PUSHING, Wire.begun().get(1, "/"));
        assertFalse(push(0, target));
        assertEquals(1, requests.size());
    }

    @Test
    void isNotMadeOfMethodsThatChangeThings() {
        serve(PUSHING, Wire.begun().get(1, "/"));
        assertFalse(pushing(0).push("POST", "/a", new Headers()));
    }

    @Test
    void isNotMadeOfFieldsThatWouldBeRefused() {
        serve(PUSHING, Wire.begun().get(1, "/"));
        assertFalse(pushing(0).push("GET", "/a", new Headers().add("X-Large", "x".repeat(10_000))));
    }

    /** The client has it already. This is legitimate and not counted as abuse, even a thousand times. */
    @Test
    void mayBeRefusedByTheClientAnyNumberOfTimes() {
        serve(PUSHING, Wire.begun());
        for (int i = 0; i < 1500; i++) {
            connection.receive(new Wire().get(2 * i + 1, "/").toArray());
            assertTrue(push(2 * i, "/a"));
            connection.receive(
                    new Wire().hex(Frames.RST_STREAM, 0, 2 * i + 2, CANCEL).toArray());
            answer(streams.get(2 * i));
        }
        assertEquals(1500, lost.size());
        assertFalse(connection.isFinished());
    }

    /** Frames that may still arrive for a stream that has ended. */
    @Test
    void letsLateFramesPass() {
        serve(PUSHING, Wire.begun().get(1, "/"));
        assertTrue(push(0, "/a"));
        answer(streams.get(1));
        connection.receive(new Wire()
                .hex(Frames.WINDOW_UPDATE, 0, 2, "00000001")
                .hex(Frames.RST_STREAM, 0, 2, CANCEL)
                .hex(Frames.PRIORITY_UPDATE, 0, 0, "00000002 753d31")
                .toArray());
        assertFalse(connection.isFinished());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "a reset, 3, 0, 4, 00000008",
        "an opened window, 8, 0, 4, 00000001",
        "a priority, 16, 0, 0, 00000004753d31",
        "a request, 1, 5, 4, 82",
        "DATA, 0, 0, 4, 00",
    })
    void knowsWhichStreamsThereAre(String what, int type, int flags, int id, String payload) throws Exception {
        serve(PUSHING, Wire.begun().get(1, "/"));
        assertTrue(push(0, "/a"));
        connection.receive(new Wire().hex(type, flags, id, payload).toArray());
        assertTrue(sent().get(sent().size() - 1).startsWith("7 0 0000000100000001"), what + ": " + sent());
    }
}
