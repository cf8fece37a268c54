package io.millrace.connector.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.mux.Fault;
import io.millrace.settings.Settings;
import io.millrace.testkit.FrameTranscript;
import io.millrace.testkit.ScriptedConnection;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Adler32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The reader of frames … */
class SpdyReaderTest {

    private static SpdyWire all() {
        return new SpdyWire()
                .numbers(SpdyFrame.SETTINGS, 3, 0x0100_0007, 100_000, 4, 50, 7, 1)
                .get(1, "/1")
                .post(3, "/3")
                .data(3, "first", false)
                .credential()
                .numbers(SpdyFrame.PING, 7)
                .numbers(SpdyFrame.PING, 8)
                .data(3, "second", false)
                .headers(3, true, "digest", "a\0b")
                .numbers(SpdyFrame.RST_STREAM, 1, 5)
                .numbers(SpdyFrame.WINDOW_UPDATE, 0, 1000)
                .numbers(SpdyFrame.WINDOW_UPDATE, 3, 1)
                .request(5, 0, 7, SpdyWire.block(SpdyWire.line("PUT", "/5", "content-length", "4")))
                .data(5, "body", true)
                .numbers(SpdyFrame.GOAWAY, 0, 0);
    }

    @Test
    void readsEachFrameHoweverItIsFragmented() {
        byte[] bytes = all().toArray();
        List<String> whole =
                SpdyReading.read(Settings.DEFAULTS, bytes, Integer.MAX_VALUE).lines();
        assertEquals(
                List.of(
                        "settings 100000 -1 -1 50 -1",
                        "request 1 GET /1 0 u=3, i end",
                        "request 3 POST /3 -1 u=3, i",
                        "glitch",
                        "ping 7",
                        "ping 8 ack",
                        "trailers 3 digest=a",
                        "reset 1 CANCEL",
                        "credit 0 1000",
                        "credit 3 1",
                        "request 5 PUT /5 4 u=7, i",
                        "body 5 firstsecondbody 15",
                        "goaway 0 NONE"),
                whole);
        for (int piece = 1; piece < bytes.length; piece++) {
            assertEquals(
                    whole, SpdyReading.read(Settings.DEFAULTS, bytes, piece).lines());
        }
    }

    @Test
    void hasTheDictionaryOfTheDraft() {
        Adler32 sum = new Adler32();
        sum.update(HeaderInflater.Dictionary.get());
        assertEquals(1423, HeaderInflater.Dictionary.get().length);
        assertEquals(0xe3c6_a7c2L, sum.getValue());
    }

    @Test
    void takesNoWindowOfTheConnectionInSpdy3() {
        byte[] bytes = new SpdyWire().numbers(SpdyFrame.WINDOW_UPDATE, 0, 1).toArray();
        assertEquals(
                List.of("glitch"),
                SpdyReading.read(Settings.DEFAULTS.with(SpdyOptions.VERSION, "3"), bytes, Integer.MAX_VALUE)
                        .lines());
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of("another version", Fault.PROTOCOL, new SpdyWire().hex("80020006 00000004 00000001")),
                Arguments.of("SYN_REPLY", Fault.PROTOCOL, new SpdyWire().numbers(SpdyFrame.SYN_REPLY, 1)),
                Arguments.of("DATA for stream 0", Fault.PROTOCOL, new SpdyWire().data(0, "x", false)),
                Arguments.of(
                        "RST_STREAM for stream 0", Fault.PROTOCOL, new SpdyWire().numbers(SpdyFrame.RST_STREAM, 0, 1)),
                Arguments.of(
                        "a short SYN_STREAM", Fault.FRAME_SIZE, new SpdyWire().numbers(SpdyFrame.SYN_STREAM, 1, 0)),
                Arguments.of("a short RST_STREAM", Fault.FRAME_SIZE, new SpdyWire().numbers(SpdyFrame.RST_STREAM, 1)),
                Arguments.of("a long PING", Fault.FRAME_SIZE, new SpdyWire().numbers(SpdyFrame.PING, 1, 1)),
                Arguments.of("a short GOAWAY", Fault.FRAME_SIZE, new SpdyWire().numbers(SpdyFrame.GOAWAY, 1)),
                Arguments.of(
                        "a long WINDOW_UPDATE",
                        Fault.FRAME_SIZE,
                        new SpdyWire().numbers(SpdyFrame.WINDOW_UPDATE, 1, 1, 1)),
                Arguments.of("a cut setting", Fault.FRAME_SIZE, new SpdyWire().numbers(SpdyFrame.SETTINGS, 1, 7)),
                Arguments.of(
                        "more settings than said",
                        Fault.FRAME_SIZE,
                        new SpdyWire().numbers(SpdyFrame.SETTINGS, 1, 7, 1, 7, 1)),
                Arguments.of(
                        "33 settings",
                        Fault.ENHANCE_YOUR_CALM,
                        new SpdyWire().numbers(SpdyFrame.SETTINGS, new int[67])),
                Arguments.of("a window beyond 2³¹−1", Fault.FLOW_CONTROL, new SpdyWire().setting(7, -1)),
                Arguments.of(
                        "a stream that is not higher",
                        Fault.PROTOCOL,
                        new SpdyWire().get(5, "/").get(3, "/")),
                Arguments.of(
                        "a stream twice",
                        Fault.PROTOCOL,
                        new SpdyWire().get(5, "/").get(5, "/")),
                Arguments.of(
                        "HEADERS without a stream",
                        Fault.PROTOCOL,
                        new SpdyWire().get(1, "/").headers(3, true, "a", "b")),
                Arguments.of(
                        "a block of 100,000 octets",
                        Fault.FRAME_SIZE,
                        new SpdyWire().control(SpdyFrame.SYN_STREAM, 0, new byte[100_000])),
                Arguments.of(
                        "a block that is no zlib stream",
                        Fault.COMPRESSION,
                        new SpdyWire().hex("80030001 0000000e 00000001 00000000 0000 ffffffff")),
                Arguments.of(
                        "an unknown dictionary",
                        Fault.COMPRESSION,
                        new SpdyWire().hex("80030001 00000010 00000001 00000000 0000 78bb 01020304")),
                Arguments.of(
                        "a block that ends too soon",
                        Fault.COMPRESSION,
                        new SpdyWire().request(1, 1, 0, new byte[] {0, 0, 0, 1, 0, 0})),
                Arguments.of(
                        "a block that ends too late", Fault.COMPRESSION, new SpdyWire().request(1, 1, 0, new byte[5])),
                Arguments.of(
                        "an empty block",
                        Fault.COMPRESSION,
                        new SpdyWire().hex("80030001 0000000a 00000001 00000000 0000")),
                Arguments.of(
                        "a bomb",
                        Fault.ENHANCE_YOUR_CALM,
                        new SpdyWire().request(1, true, SpdyWire.line("GET", "/", "x", "x".repeat(40_000)))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void givesUpAConnectionWith(String what, Fault fault, SpdyWire wire) {
        for (int piece : new int[] {1, Integer.MAX_VALUE}) {
            String last =
                    SpdyReading.read(Settings.DEFAULTS, wire.toArray(), piece).last();
            assertTrue(last.startsWith(fault + ": "), what + ": " + last);
        }
    }

    @Test
    void answersAHeadThatIsTooLargeAndGoesOn() {
        FrameTranscript told = SpdyReading.read(new SpdyWire()
                .request(1, true, SpdyWire.line("GET", "/", "x", "x".repeat(9000), "y", "z"))
                .get(3, "/3"));
        assertTrue(told.lines().get(0).startsWith("refused 1 431"), told.lines().get(0));
        assertEquals("request 3 GET /3 0 u=3, i end", told.last());
    }

    @ParameterizedTest
    @CsvSource({"false, PROTOCOL trailer fields that do not end", "true, trailers 1"})
    void acceptsHeadersAfterABodyOnlyAsItsEnd(boolean end, String told) {
        String last = SpdyReading.read(new SpdyWire().post(1, "/").headers(1, end, "a", "b"))
                .last();
        assertTrue(last.contains(told), last);
    }

    @Test
    void resetsAStreamWithMalformedTrailers() {
        for (String name : List.of("A", "", "a b", ":path", "connection")) {
            String last = SpdyReading.read(new SpdyWire().post(1, "/").headers(1, true, name, "b"))
                    .last();
            assertTrue(last.startsWith("fault 1 PROTOCOL"), last);
        }
        Settings small = Settings.DEFAULTS.with(HttpOptions.MAX_TRAILER_SIZE, 10);
        byte[] bytes = new SpdyWire()
                .post(1, "/")
                .headers(1, true, "a", "b".repeat(20))
                .toArray();
        String last =
                SpdyReading.read(small.with(SpdyOptions.VERSION, "3"), bytes, 3).last();
        assertTrue(last.startsWith("fault 1 PROTOCOL trailer fields that are too large"), last);
    }

    @Test
    void knowsWhetherMoreHasToCome() throws Exception {
        SpdyReader reader = new SpdyReader(
                new SpdyRules(Settings.DEFAULTS, "http"),
                new ScriptedConnection().channel().info());
        assertTrue(reader.isWithinFrame(), "the first frame");
        byte[] bytes = new SpdyWire().post(1, "/").data(1, "a body", false).toArray();
        int bodyAt = bytes.length - 6;
        for (int i = 0; i < bytes.length; i++) {
            reader.read(ByteBuffer.wrap(bytes, i, 1), new FrameTranscript());
            boolean between = i == bodyAt - SpdyFrame.HEAD - 1 || i >= bodyAt - 1;
            assertEquals(!between, reader.isWithinFrame(), "behind octet " + i);
        }
        reader.close();
    }
}
