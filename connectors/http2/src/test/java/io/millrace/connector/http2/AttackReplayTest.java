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

/** Attacks on HTTP/2 by their numbers, and others like them. */
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
                        1));
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

    /** A field of 4,000 octets that is sent once, and stands for itself a thousand times in a block of a thousand octets. */
    @Test
    void aBombOfReferencesIsAnsweredWithoutBeingUnpacked() {
        ByteBuffer first = ByteBuffer.allocate(5000);
        first.put((byte) 0x40).put((byte) 1).put((byte) 'x'); // a literal to remember, and its name
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
        assertTrue(allocated < 98 * MOST_ALLOCATED, allocated + " octets"); // unpacked they would be 400 MB
    }
}
