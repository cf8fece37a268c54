package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.settings.Settings;
import io.millrace.testkit.FrameTranscript;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reader … */
class Http2ReaderTest {

    private static final String BEGIN = "settings -1 -1 -1 -1 -1";

    /** A connection with almost all kinds of frames. */
    private static byte[] conversation() {
        byte[] block = Wire.block(":method", "PUT", ":scheme", "http", ":authority", "a.test", ":path", "/b?c=d");
        return Wire.begun()
                .hex(
                        Frames.SETTINGS,
                        0,
                        0,
                        "0001 00000000 0002 00000000 0003 00000005 0004 0000ffff 0005 00004000 00ff 00000001")
                .frame(Frames.SETTINGS, Frames.ACK, 0)
                .get(1, "/first")
                .frame(Frames.HEADERS, 0, 3, Arrays.copyOf(block, 5))
                .frame(Frames.CONTINUATION, 0, 3, Arrays.copyOfRange(block, 5, 9))
                .frame(Frames.CONTINUATION, Frames.END_HEADERS, 3, Arrays.copyOfRange(block, 9, block.length))
                .data(3, "some ", false)
                .hex(Frames.DATA, Frames.PADDED, 3, "03 626f6479 000000")
                .hex(Frames.DATA, Frames.PADDED, 3, "02 0000")
                .request(3, true, "x-check", "17")
                .post(5, "/")
                .data(5, "whole", true)
                .hex(0x42, 0xff, 7, "0102030405")
                .hex(Frames.PING, 0, 0, "0000000000000007")
                .hex(Frames.PING, Frames.ACK, 0, "0000000000000008")
                .hex(Frames.WINDOW_UPDATE, 0, 0, "80000010")
                .hex(Frames.WINDOW_UPDATE, 0, 3, "00000000")
                .hex(Frames.PRIORITY, 0, 9, "0000000b10")
                .hex(Frames.PRIORITY_UPDATE, 0, 0, "00000003 753d312c2069")
                .hex(Frames.RST_STREAM, 0, 3, "00000008")
                .hex(Frames.GOAWAY, 0, 0, "00000003 0000000b 64656275 67")
                .toArray();
    }

    private static final List<String> CONVERSATION = List.of(
            BEGIN,
            "settings 65535 16384 0 5 0",
            "acknowledged",
            "request 1 GET /first 0 end",
            "request 3 PUT /b?c=d -1",
            "trailers 3 x-check=17",
            "request 5 POST / -1",
            "body 5 some bodywhole 21",
            "glitch",
            "ping 7",
            "ping 8 ack",
            "credit 0 16",
            "credit 3 0",
            "glitch",
            "priority 3 u=1, i",
            "reset 3 CANCEL",
            "goaway 3 ENHANCE_YOUR_CALM");

    @Test
    void tellsWhatFramesSay() {
        assertEquals(
                CONVERSATION,
                Http2Reading.read(Settings.DEFAULTS, conversation(), Integer.MAX_VALUE)
                        .lines());
    }

    @Test
    void tellsTheSameOctetByOctet() {
        assertEquals(
                CONVERSATION,
                Http2Reading.read(Settings.DEFAULTS, conversation(), 1).lines());
    }

    @Test
    void tellsTheSameHoweverItsInputIsCut() {
        Random random = new Random(9113);
        byte[] bytes = conversation();
        for (int i = 0; i < 500; i++) {
            Http2Reader reader = new Http2Reader(new Http2Rules(Settings.DEFAULTS, "http"), Http2Reading.info());
            FrameTranscript told = new FrameTranscript();
            for (int at = 0; at < bytes.length; ) {
                int next = Math.min(bytes.length, at + 1 + random.nextInt(1 + random.nextInt(60)));
                told.read(reader, Arrays.copyOfRange(bytes, at, next), Integer.MAX_VALUE);
                at = next;
            }
            assertEquals(CONVERSATION, told.lines());
            assertFalse(reader.isWithinFrame());
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "DATA on stream 0, 0, 0, 0, 61, PROTOCOL",
        "padding as long as its frame, 0, 8, 1, 0161, ''",
        "padding longer than its frame, 0, 8, 1, 0261, PROTOCOL",
        "padded DATA without its length, 0, 8, 1, '', FRAME_SIZE",
        "HEADERS on stream 0, 1, 5, 0, 82, PROTOCOL",
        "HEADERS with too much padding, 1, 13, 1, 0282, PROTOCOL",
        "HEADERS without room for its priority, 1, 37, 1, 00000003, FRAME_SIZE",
        "HEADERS that depends on itself, 1, 37, 1, 00000001 00 82, PROTOCOL",
        "HEADERS with a block that is none, 1, 5, 1, 80, COMPRESSION",
        "PRIORITY on stream 0, 2, 0, 0, 0000000300, PROTOCOL",
        "PRIORITY that depends on itself, 2, 0, 3, 8000000300, PROTOCOL",
        "PRIORITY of four octets, 2, 0, 3, 00000003, FRAME_SIZE",
        "RST_STREAM on stream 0, 3, 0, 0, 00000008, PROTOCOL",
        "RST_STREAM of five octets, 3, 0, 1, 0000000800, FRAME_SIZE",
        "SETTINGS on a stream, 4, 0, 1, '', PROTOCOL",
        "SETTINGS of five octets, 4, 0, 0, 0001000000, FRAME_SIZE",
        "an acknowledgment with settings, 4, 1, 0, 000100000000, FRAME_SIZE",
        "ENABLE_PUSH of 2, 4, 0, 0, 000200000002, PROTOCOL",
        "INITIAL_WINDOW_SIZE beyond 31 bits, 4, 0, 0, 000480000000, FLOW_CONTROL",
        "MAX_FRAME_SIZE too small, 4, 0, 0, 000500003fff, PROTOCOL",
        "MAX_FRAME_SIZE too large, 4, 0, 0, 000501000000, PROTOCOL",
        "ENABLE_CONNECT_PROTOCOL of 2, 4, 0, 0, 000800000002, PROTOCOL",
        "NO_RFC7540_PRIORITIES of 2, 4, 0, 0, 000900000002, PROTOCOL",
        "PUSH_PROMISE, 5, 4, 1, 0000000282, PROTOCOL",
        "PING on a stream, 6, 0, 1, 0000000000000000, PROTOCOL",
        "PING of seven octets, 6, 0, 0, 00000000000000, FRAME_SIZE",
        "GOAWAY on a stream, 7, 0, 1, 0000000000000000, PROTOCOL",
        "GOAWAY of seven octets, 7, 0, 0, 00000000000000, FRAME_SIZE",
        "WINDOW_UPDATE of three octets, 8, 0, 0, 000001, FRAME_SIZE",
        "CONTINUATION of nothing, 9, 4, 1, 82, PROTOCOL",
        "PRIORITY_UPDATE on a stream, 16, 0, 1, 00000003, PROTOCOL",
        "PRIORITY_UPDATE of three octets, 16, 0, 0, 000003, FRAME_SIZE",
        "PRIORITY_UPDATE of stream 0, 16, 0, 0, 00000000, PROTOCOL",
    })
    void judgesAFrameByItself(String what, int type, int flags, int id, String payload, String fault) {
        for (int piece : new int[] {1, Integer.MAX_VALUE}) {
            byte[] bytes = Wire.begun().hex(type, flags, id, payload).toArray();
            String last = Http2Reading.read(Settings.DEFAULTS, bytes, piece).last();
            assertEquals(fault.isEmpty() ? BEGIN : fault, fault.isEmpty() ? last : last.replaceAll(":.*", ""), what);
        }
    }

    @Test
    void refusesAFrameThatIsTooLarge() {
        FrameTranscript told =
                Http2Reading.read(Wire.begun().frame(Frames.DATA, 0, 1, Frames.MAX_PAYLOAD + 1, new byte[0]));
        assertTrue(told.last().startsWith("FRAME_SIZE"), told.last());
    }

    @Test
    void wantsThePrefaceAndThenSettings() {
        assertTrue(Http2Reading.read(new Wire().bytes("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII)))
                .last()
                .startsWith("PROTOCOL: no HTTP/2 connection preface"));
        for (int flags : new int[] {0, Frames.ACK}) {
            Wire wire = new Wire().bytes(Http2Reader.PREFACE);
            wire = flags == 0 ? wire.get(1, "/") : wire.frame(Frames.SETTINGS, flags, 0);
            assertTrue(Http2Reading.read(wire).last().startsWith("PROTOCOL: a frame other than SETTINGS"));
        }
    }

    @Test
    void wantsAHeaderBlockInOnePiece() {
        for (int type : new int[] {Frames.DATA, Frames.HEADERS, Frames.PING, 0x42}) {
            FrameTranscript told = Http2Reading.read(Wire.begun()
                    .hex(Frames.HEADERS, 0, 1, "82")
                    .frame(type, 0, type == Frames.PING ? 0 : 1, new byte[8]));
            assertTrue(told.last().startsWith("PROTOCOL: a frame other than the next"), told.last());
        }
        FrameTranscript other =
                Http2Reading.read(Wire.begun().hex(Frames.HEADERS, 0, 1, "82").hex(Frames.CONTINUATION, 4, 3, "86"));
        assertTrue(other.last().startsWith("PROTOCOL: a frame other than the next"), other.last());
    }

    @Test
    void limitsAHeaderBlockInFramesAndBytes() {
        Wire frames = Wire.begun().hex(Frames.HEADERS, 0, 1, "82");
        for (int i = 0; i < 9; i++) {
            frames.frame(Frames.CONTINUATION, 0, 1);
        }
        assertTrue(Http2Reading.read(frames).last().startsWith("ENHANCE_YOUR_CALM: more than 8 CONTINUATION"));
        Wire bytes = Wire.begun().frame(Frames.HEADERS, 0, 1, new byte[16_384]);
        bytes.frame(Frames.CONTINUATION, 0, 1, new byte[16_384]).hex(Frames.CONTINUATION, 0, 1, "82");
        assertTrue(Http2Reading.read(bytes).last().startsWith("ENHANCE_YOUR_CALM: a header block of more than 32768"));
    }

    @Test
    void boundsTheNumberOfSettings() {
        FrameTranscript told = Http2Reading.read(Wire.begun().frame(Frames.SETTINGS, 0, 0, new byte[33 * 6]));
        assertEquals("ENHANCE_YOUR_CALM: more than 32 settings in a frame", told.last());
    }

    @Test
    void answersAHeadThatIsTooLargeAndStaysInStep() {
        Wire wire = Wire.begun();
        String[] large = {
            ":method", "GET", ":scheme", "http", ":authority", "a.test", ":path", "/", "x", "v".repeat(12_000)
        };
        FrameTranscript told = Http2Reading.read(wire.request(1, true, large).get(3, "/next"));
        assertEquals(
                List.of(
                        BEGIN,
                        "refused 1 431 a request head that is too large [GET / HTTP/2.0]",
                        "request 3 GET /next 0 end"),
                told.lines());
    }

    @Test
    void decodesABlockThatIsIgnored() {
        FrameTranscript told = new FrameTranscript();
        Http2Reader reader = new Http2Reader(new Http2Rules(Settings.DEFAULTS, "http"), Http2Reading.info());
        told.ignoreHeaders(true);
        told.read(
                reader,
                Wire.begun().hex(Frames.HEADERS, 5, 1, "4004 686f7374 01 61").toArray(),
                100);
        told.ignoreHeaders(false);
        byte[] second = new Wire().hex(Frames.HEADERS, 5, 3, "82 86 84 be").toArray();
        told.read(reader, second, 100);
        assertEquals("request 3 GET / 0 end", told.last());
    }

    @Test
    void knowsWhetherItIsWithinAFrame() {
        byte[] bytes = Wire.begun().get(1, "/").toArray();
        Http2Reader reader = new Http2Reader(new Http2Rules(Settings.DEFAULTS, "http"), Http2Reading.info());
        FrameTranscript told = new FrameTranscript();
        int settingsEnd = Http2Reader.PREFACE.length + Frames.HEAD;
        for (int i = 0; i < bytes.length; i++) {
            boolean between = i == settingsEnd;
            assertEquals(!between, reader.isWithinFrame(), "before octet " + i);
            told.read(reader, new byte[] {bytes[i]}, 1);
        }
        assertFalse(reader.isWithinFrame());
    }

    @Test
    void leavesItsInputAsItFoundItsLimit() throws Exception {
        byte[] bytes = Wire.begun().get(1, "/").get(3, "/").toArray();
        ByteBuffer input =
                ByteBuffer.allocateDirect(bytes.length + 10).put(bytes).flip();
        new Http2Reader(new Http2Rules(Settings.DEFAULTS, "http"), Http2Reading.info())
                .read(input, new FrameTranscript());
        assertEquals(bytes.length, input.limit());
        assertFalse(input.hasRemaining());
    }
}
