package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;
import io.millrace.testkit.AttackContract;
import io.millrace.testkit.ScriptedConnection;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Attacks on HTTP/2 by their CVE numbers, and similar ones. */
final class AttackReplayTest extends AttackContract {

    private static final byte[] NO_WINDOWS = {0, 4, 0, 0, 0, 0};

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    static List<Attack> attacks() {
        Wire begin = Wire.begun();
        Wire download = Wire.begun().frame(Frames.SETTINGS, 0, 0, NO_WINDOWS).get(1, "/large");
        Wire upload = Wire.begun().post(1, "/hold");
        return List.of(
                attack(
                        "rapid reset (CVE-2023-44487)",
                        begin,
                        i -> new Wire().get(id(i), "/hold").frame(Frames.RST_STREAM, 0, id(i), number(8)),
                        2),
                attack(
                        "made you reset (CVE-2025-8671)",
                        begin,
                        i -> new Wire().post(id(i), "/hold").frame(Frames.WINDOW_UPDATE, 0, id(i), number(0)),
                        2),
                attack("malformed requests", begin, i -> new Wire().request(id(i), true, "UPPER", "case"), 1),
                attack("more streams than are allowed", begin, i -> new Wire().post(id(i), "/hold"), 1),
                attack(
                        "continuation without an end (CVE-2024-27316)",
                        Wire.begun().frame(Frames.HEADERS, 0, 1),
                        i -> new Wire().frame(Frames.CONTINUATION, 0, 1, new byte[1000]),
                        1),
                attack("settings (CVE-2019-9515)", begin, i -> new Wire().frame(Frames.SETTINGS, 0, 0), 1),
                attack(
                        "settings that move all windows",
                        download,
                        i -> new Wire().frame(Frames.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, (byte) (i & 1)}),
                        1),
                attack("pings (CVE-2019-9512)", begin, i -> new Wire().frame(Frames.PING, 0, 0, new byte[8]), 1),
                attack("empty frames (CVE-2019-9518)", upload, i -> new Wire().frame(Frames.DATA, 0, 1), 1),
                attack(
                        "padding and nothing else",
                        upload,
                        i -> new Wire().frame(Frames.DATA, Frames.PADDED, 1, new byte[] {0}),
                        1),
                attack(
                        "windows opened by one (CVE-2019-9511)",
                        download,
                        i -> new Wire().frame(Frames.WINDOW_UPDATE, 0, 1, number(1)),
                        1),
                attack(
                        "priorities (CVE-2019-9513)",
                        download,
                        i -> new Wire().frame(Frames.PRIORITY_UPDATE, 0, 0, new byte[] {
                            0, 0, 0, 1, 'u', '=', (byte) ('0' + i % 8)
                        }),
                        1),
                attack(
                        "deprecated priorities",
                        begin,
                        i -> new Wire().frame(Frames.PRIORITY, 0, id(i), new byte[] {0, 0, 0, 0, 1}),
                        1),
                attack("unknown frames", begin, i -> new Wire().frame(200, 0, 0, new byte[10]), 1),
                attack(
                        "answers to pings that nobody sent",
                        begin,
                        i -> new Wire().frame(Frames.PING, Frames.ACK, 0, new byte[8]),
                        1),
                attack(
                        "answers to settings that nobody sent",
                        begin,
                        i -> new Wire().frame(Frames.SETTINGS, Frames.ACK, 0),
                        1),
                attack(
                        "GOAWAY again and again",
                        Wire.begun().get(1, "/hold"),
                        i -> new Wire().frame(Frames.GOAWAY, 0, 0, new byte[8]),
                        1));
    }

    /** Frames that make the server reset a stream whose request is still being processed (CVE-2025-8671). */
    static List<Attack> madeYouReset() {
        Wire begin = Wire.begun();
        return List.of(
                attack(
                        "a window opened too far",
                        begin,
                        i -> new Wire()
                                .get(id(i), "/hold")
                                .frame(Frames.WINDOW_UPDATE, 0, id(i), number(Integer.MAX_VALUE)),
                        2),
                attack(
                        "DATA after the end",
                        begin,
                        i -> new Wire().get(id(i), "/hold").data(id(i), "x", false),
                        2),
                attack(
                        "empty DATA after the end",
                        begin,
                        i -> new Wire().get(id(i), "/hold").data(id(i), "", true),
                        2),
                attack(
                        "a header block after the end",
                        begin,
                        i -> new Wire().get(id(i), "/hold").get(id(i), "/hold"),
                        2),
                attack(
                        "trailers without an end",
                        begin,
                        i -> new Wire().post(id(i), "/hold").request(id(i), false, "a", "b"),
                        2),
                attack(
                        "trailers that are pseudo-fields",
                        begin,
                        i -> new Wire().post(id(i), "/hold").request(id(i), true, ":path", "/"),
                        2),
                attack(
                        "a body that is longer than announced",
                        begin,
                        i -> new Wire().request(id(i), false, announcing("1")).data(id(i), "xx", false),
                        2),
                attack(
                        "a body that is shorter than announced",
                        begin,
                        i -> new Wire().request(id(i), false, announcing("3")).data(id(i), "xx", true),
                        2),
                attack(
                        "no body where one is announced",
                        begin,
                        i -> new Wire().request(id(i), true, announcing("3")),
                        1),
                attack(
                        "more DATA than the window allows",
                        Wire.begun(),
                        i -> {
                            Wire wire = new Wire().post(id(i), "/hold");
                            for (int sent = 0; sent <= 65_535; sent += 16_384) {
                                wire.frame(Frames.DATA, 0, id(i), new byte[16_384]);
                            }
                            return wire;
                        },
                        5));
    }

    private static String[] announcing(String length) {
        return new String[] {
            ":method", "POST", ":scheme", "http", ":authority", "a.test", ":path", "/hold", "content-length", length
        };
    }

    /** Frames for streams that have ended, some of which may be legitimate. */
    static List<Attack> afterTheEnd() {
        Wire reset = Wire.begun()
                .post(1, "/hold")
                .frame(Frames.WINDOW_UPDATE, 0, 1, number(0))
                .get(3, "/hold");
        Wire cancelled = Wire.begun().post(1, "/hold").frame(Frames.RST_STREAM, 0, 1, number(8));
        Wire leaving = Wire.begun().get(1, "/hold").frame(Frames.GOAWAY, 0, 0, new byte[8]);
        return List.of(
                attack("DATA", reset, i -> new Wire().data(1, "x", false), 1),
                attack(
                        "DATA that is padding mostly",
                        reset,
                        i -> new Wire().frame(Frames.DATA, Frames.PADDED, 1, padded()),
                        1),
                attack("header blocks", reset, i -> new Wire().get(1, "/hold"), 1),
                attack(
                        "header blocks that change the size of the table",
                        reset,
                        i -> new Wire().hex(Frames.HEADERS, Frames.END_HEADERS, 1, "20 3fe11f 4001610162"),
                        1),
                attack("resets", reset, i -> new Wire().frame(Frames.RST_STREAM, 0, 1, number(8)), 1),
                attack("opened windows", reset, i -> new Wire().frame(Frames.WINDOW_UPDATE, 0, 1, number(1)), 1),
                attack("DATA for what the client has reset", cancelled, i -> new Wire().data(1, "x", false), 1),
                attack("requests behind GOAWAY", leaving, i -> new Wire().get(id(i), "/hold"), 1),
                attack("DATA behind GOAWAY", leaving, i -> new Wire().data(id(i), "x", false), 1),
                attack(
                        "resets behind GOAWAY",
                        leaving,
                        i -> new Wire().frame(Frames.RST_STREAM, 0, id(i), number(8)),
                        1));
    }

    private static byte[] padded() {
        byte[] payload = new byte[1 + 1 + 255];
        payload[0] = (byte) 255;
        return payload;
    }

    @ParameterizedTest
    @MethodSource({"madeYouReset", "afterTheEnd"})
    void endsVariantsWithinTheirBudget(Attack attack) {
        endsWithinItsBudget(attack);
    }

    private static Attack attack(String name, Wire begin, IntFunction<Wire> round, int frames) {
        return new Attack(name, begin.toArray(), i -> round.apply(i).toArray(), frames);
    }

    @Override
    protected Protocol protocol() {
        return new Http2Protocol(Settings.DEFAULTS, "http");
    }

    @Override
    protected byte[] begin() {
        return Wire.begun().toArray();
    }

    @Override
    protected byte[] beginClosed() {
        return Wire.begun().frame(Frames.SETTINGS, 0, 0, NO_WINDOWS).toArray();
    }

    @Override
    protected byte[] get(int id, String path) {
        return new Wire().get(id, path).toArray();
    }

    @Override
    protected byte[] ping(int round) {
        return new Wire().frame(Frames.PING, 0, 0, new byte[8]).toArray();
    }

    /** A field of 4,000 octets that is sent once, and referenced a thousand times in a block of a thousand octets. */
    @Test
    void aBombOfReferencesIsAnsweredWithoutBeingUnpacked() {
        ByteBuffer first = ByteBuffer.allocate(5000);
        first.put((byte) 0x40).put((byte) 1).put((byte) 'x'); // a literal to be indexed, and its name
        first.put((byte) 0x7f).put((byte) 0xa1).put((byte) 0x1e); // 127 + 33 + 30 * 128 octets
        for (int i = 0; i < 4000; i++) {
            first.put((byte) 'y');
        }
        byte[] literal = Arrays.copyOf(first.array(), first.position());
        byte[] references = new byte[1000];
        Arrays.fill(references, (byte) (0x80 | 62));
        int flags = Frames.END_HEADERS | Frames.END_STREAM;
        ScriptedConnection connection =
                serve(Wire.begun().frame(Frames.HEADERS, flags, 1, literal).toArray());
        connection.receive(
                new Wire().frame(Frames.HEADERS, flags, 3, references).toArray());
        long allocated = 0;
        for (int i = 2; i < 100; i++) {
            allocated += allocatedBy(
                    new Wire().frame(Frames.HEADERS, flags, id(i), references).toArray());
        }

        assertFalse(connection.isFinished());
        assertTrue(allocated < 98 * MAX_ALLOCATED, allocated + " octets"); // decoded they would be 400 MB
    }
}
