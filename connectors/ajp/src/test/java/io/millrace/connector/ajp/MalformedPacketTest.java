package io.millrace.connector.ajp;

import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static io.millrace.protocol.ProtocolOptions.KEEP_ALIVE_TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.Headers;
import io.millrace.testkit.AjpPacket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A malformed packet … */
class MalformedPacketTest {

    private static final byte[] WHOLE = AjpFixture.get("/a")
            .attribute(0x03, "user")
            .attribute("AJP_REMOTE_PORT", "1")
            .octet(0x0b)
            .number(256)
            .end();

    static Stream<Arguments> packets() {
        return Stream.of(
                Arguments.of(Defect.MAGIC, "GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII)),
                Arguments.of(Defect.MAGIC, hex("4142 0001 09")),
                Arguments.of(Defect.MAGIC, hex("1235 0001 0a")),
                Arguments.of(Defect.TOO_LONG, hex("1234 ffff")),
                Arguments.of(Defect.TOO_LONG, hex("1234 1ffd")),
                Arguments.of(Defect.EMPTY, hex("1234 0000")),
                Arguments.of(Defect.TYPE, hex("1234 0001 03")),
                Arguments.of(Defect.TYPE, hex("1234 0001 07")),
                Arguments.of(Defect.TYPE, hex("1234 0001 08")),
                Arguments.of(Defect.TYPE, hex("1234 0002 0a00")),
                Arguments.of(Defect.TYPE, AjpPacket.body(new byte[9], 0, 9)),
                Arguments.of(Defect.CUT_OFF, hex("1234 0001 02")),
                Arguments.of(Defect.METHOD, hex("1234 0002 0200")),
                Arguments.of(Defect.METHOD, hex("1234 0002 021c")),
                Arguments.of(Defect.STRING, hex("1234 0004 02 02 fffe")),
                Arguments.of(Defect.STRING, hex("1234 0006 02 02 0001 4141")),
                Arguments.of(Defect.STRING, hex("1234 0007 02 02 0002 4100 00")),
                Arguments.of(
                        Defect.FIELD,
                        fields().number(1).number(0xa00f).text("x").end()),
                Arguments.of(
                        Defect.FIELD,
                        fields().number(1).number(0xa000).text("x").end()),
                Arguments.of(Defect.CUT_OFF, fields().number(0xffff).bytes()),
                Arguments.of(
                        Defect.CUT_OFF, fields().number(2).text("a").text("b").end()),
                Arguments.of(Defect.CUT_OFF, AjpFixture.get("/a").bytes()),
                Arguments.of(Defect.ATTRIBUTE, AjpFixture.get("/a").octet(0x0e).end()),
                Arguments.of(Defect.ATTRIBUTE, AjpFixture.get("/a").octet(0).end()),
                Arguments.of(Defect.LEFT_OVER, AjpFixture.get("/a").octet(0xff).end()));
    }

    @ParameterizedTest
    @MethodSource("packets")
    void closesItsConnectionWithoutAnAnswer(Defect expected, byte[] packet) {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(packet);
            assertTrue(ajp.connection.isClosed());
            assertEquals("found " + expected.found(), String.valueOf(cause(ajp)));
            assertEquals("", ajp.sent());
            assertEquals(List.of(), ajp.requests);
        }
    }

    /** A well-formed packet that is truncated anywhere, with a matching length, is not served. */
    @Test
    void isOneThatEndsAnywhereBeforeItsEnd() {
        for (int length = 1; length < WHOLE.length - 4; length++) {
            byte[] cut = Arrays.copyOf(WHOLE, 4 + length);
            cut[2] = (byte) (length >> 8);
            cut[3] = (byte) length;
            try (AjpFixture ajp = new AjpFixture()) {
                ajp.receive(cut);
                assertTrue(ajp.connection.isClosed(), "cut after " + length);
                assertEquals(List.of(), ajp.requests, "cut after " + length);
            }
        }
    }

    /** With any other length of one of its strings, or of the packet. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1",
                "/path",
                "192.0.2.7",
                "client.example",
                "www.example",
                "x-name",
                "value",
                "user",
                "query=1",
                "AJP_REMOTE_PORT",
                "4711",
                "right"
            })
    void isOneWithAStringThatIsLongerOrShorterThanItSays(String text) {
        byte[] whole = AjpPacket.request(2, "HTTP/1.1", "/path", new Headers().add("x-name", "value"))
                .attribute(0x03, "user")
                .attribute(0x05, "query=1")
                .attribute("AJP_REMOTE_PORT", "4711")
                .attribute(0x0c, "right")
                .end();
        int at = new String(whole, StandardCharsets.ISO_8859_1).indexOf(text) - 2;
        int right = text.length();
        for (int length :
                new int[] {0, right - 1, right + 1, right + 2, right + 1000, 0x7fff, 0xa000, 0xa0ff, 0xfffe, 0xffff}) {
            byte[] changed = whole.clone();
            changed[at] = (byte) (length >> 8);
            changed[at + 1] = (byte) length;
            try (AjpFixture ajp = new AjpFixture()) {
                ajp.receive(changed);
                assertTrue(ajp.connection.isClosed(), () -> "length " + length);
                assertEquals(List.of(), ajp.requests, () -> "length " + length);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 0xffff})
    void isOneWithMoreOrFewerFieldsThanItSays(int count) {
        byte[] packet = fields().number(count)
                .text("x-one")
                .text("1")
                .text("x-two")
                .text("2")
                .end();
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(packet);
            assertTrue(ajp.connection.isClosed());
            assertEquals(List.of(), ajp.requests);
        }
    }

    /** Every octet of it incremented and decremented: served or rejected, and nothing else. */
    @Test
    void isToleratedOnlyWhereItSaysSomethingElse() {
        for (int at = 0; at < WHOLE.length; at++) {
            for (int change : new int[] {1, -1, 0x7f, 0x80}) {
                byte[] changed = WHOLE.clone();
                changed[at] += (byte) change;
                try (AjpFixture ajp = new AjpFixture()) {
                    ajp.receive(changed);
                    ajp.connection.breakOff();
                }
            }
        }
    }

    @Test
    void mayStayAPartOfOneForAWhileOnly() {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(hex("1234 00"));
            assertTrue(ajp.connection.timeout().compareTo(Duration.ofSeconds(20)) <= 0);
            ajp.connection.idle();
            assertEquals("found " + Defect.TOO_SLOW.found(), String.valueOf(cause(ajp)));
        }
    }

    @Test
    void isGivenAMinuteEvenWhereNothingElseTimesOut() {
        try (AjpFixture ajp = new AjpFixture(
                options -> options.with(CONNECTION_TIMEOUT, Duration.ZERO).with(KEEP_ALIVE_TIMEOUT, Duration.ZERO),
                true)) {
            assertEquals(Duration.ZERO, ajp.connection.timeout());
            ajp.receive(hex("1234"));
            Duration limit = ajp.connection.timeout();
            assertTrue(!limit.isZero() && limit.compareTo(Duration.ofSeconds(60)) <= 0, limit::toString);
            ajp.connection.idle();
            assertTrue(ajp.connection.isClosed());
        }
    }

    @Test
    void getsNoMoreTimeForEachOctet() {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(hex("12"));
            Duration first = ajp.connection.timeout();
            ajp.receive(hex("34"));
            assertTrue(ajp.connection.timeout().compareTo(first) < 0);
            ajp.connection.breakOff();
        }
    }

    @Test
    void hurtsNoOtherConnection() {
        try (AjpFixture good = new AjpFixture();
                AjpFixture bad = new AjpFixture()) {
            good.receive(AjpFixture.get("/1").end());
            bad.receive(hex("ffff"));
            good.receive(AjpFixture.get("/2").end());
            assertEquals("[HEAD 200][BODY /1]" + AjpFixture.END + "[HEAD 200][BODY /2]" + AjpFixture.END, good.sent());
        }
    }

    /** Up to the number of header fields. */
    private static AjpPacket fields() {
        byte[] none = AjpPacket.request(2, "HTTP/1.1", "/a", new Headers()).bytes();
        AjpPacket packet = new AjpPacket();
        for (int i = 4; i < none.length - 2; i++) {
            packet.octet(none[i]);
        }
        return packet;
    }

    private static String cause(AjpFixture ajp) {
        Throwable cause = ajp.connection.cause();
        return cause == null ? "none" : String.valueOf(cause.getMessage());
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }
}
