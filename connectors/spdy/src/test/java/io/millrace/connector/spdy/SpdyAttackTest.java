package io.millrace.connector.spdy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;
import io.millrace.testkit.AttackContract;
import io.millrace.testkit.ScriptedConnection;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Attacks on SPDY: those known from HTTP/2, as far as they apply, and decompression bombs. */
final class SpdyAttackTest extends AttackContract {

    private static final int CANCEL = 5;

    private final SpdyWire wire = new SpdyWire();

    /** A connection whose frames are those of one client: header blocks depend on previous ones. */
    private static Attack attack(String name, SpdyWire client, BiConsumer<SpdyWire, Integer> round, int frames) {
        byte[] begin = client.take();
        return new Attack(
                name,
                begin,
                i -> {
                    round.accept(client, i);
                    return client.take();
                },
                frames);
    }

    private static SpdyWire none() {
        return new SpdyWire().get(1, "/hold");
    }

    private static SpdyWire download() {
        return new SpdyWire().setting(SpdyFrame.INITIAL_WINDOW_SIZE, 0).get(1, "/large");
    }

    private static SpdyWire upload() {
        return new SpdyWire().post(1, "/hold");
    }

    static List<Attack> attacks() {
        return List.of(
                attack(
                        "rapid reset (CVE-2023-44487)",
                        none(),
                        (client, i) -> client.get(id(i), "/hold").numbers(SpdyFrame.RST_STREAM, id(i), CANCEL),
                        2),
                attack(
                        "made you reset (CVE-2025-8671)",
                        none(),
                        (client, i) -> client.post(id(i), "/hold").numbers(SpdyFrame.WINDOW_UPDATE, id(i), 0),
                        2),
                attack("malformed requests", none(), (client, i) -> client.request(id(i), true, "UPPER", "case"), 1),
                attack("more streams than are allowed", none(), (client, i) -> client.post(id(i), "/hold"), 1),
                attack("settings", none(), (client, i) -> client.numbers(SpdyFrame.SETTINGS, 0), 1),
                attack(
                        "settings that move all windows",
                        download(),
                        (client, i) -> client.setting(SpdyFrame.INITIAL_WINDOW_SIZE, i & 1),
                        1),
                attack("pings", none(), (client, i) -> client.numbers(SpdyFrame.PING, id(i)), 1),
                attack(
                        "answers to pings that nobody sent",
                        none(),
                        (client, i) -> client.numbers(SpdyFrame.PING, 2 * i),
                        1),
                attack("empty frames", upload(), (client, i) -> client.data(1, new byte[0], false), 1),
                attack(
                        "windows opened by one",
                        download(),
                        (client, i) -> client.numbers(SpdyFrame.WINDOW_UPDATE, 1, 1),
                        1),
                attack("credentials", none(), (client, i) -> client.credential(), 1),
                attack("unknown frames", none(), (client, i) -> client.control(77, 0, new byte[10]), 1),
                attack("GOAWAY again and again", none(), (client, i) -> client.numbers(SpdyFrame.GOAWAY, 0, 0), 1),
                attack(
                        "DATA after the end",
                        none(),
                        (client, i) -> client.get(id(i), "/hold").data(id(i), new byte[1], false),
                        2),
                attack(
                        "a window opened too far",
                        none(),
                        (client, i) ->
                                client.get(id(i), "/hold").numbers(SpdyFrame.WINDOW_UPDATE, id(i), Integer.MAX_VALUE),
                        2),
                attack("DATA for what was reset", broken(), (client, i) -> client.data(1, new byte[1], false), 1),
                attack(
                        "resets of what was reset",
                        broken(),
                        (client, i) -> client.numbers(SpdyFrame.RST_STREAM, 1, CANCEL),
                        1),
                attack( // which, unlike in HTTP/2, is no error of the connection (2.6.3)
                        "resets of what was never opened",
                        none(),
                        (client, i) -> client.numbers(SpdyFrame.RST_STREAM, 1_000_001, CANCEL),
                        1));
    }

    /** Its first stream was reset by the server. */
    private static SpdyWire broken() {
        return upload().numbers(SpdyFrame.WINDOW_UPDATE, 1, 0).get(3, "/hold");
    }

    @Override
    protected Protocol protocol() {
        return new SpdyProtocol(Settings.DEFAULTS, "http");
    }

    /** No frame is required before it. */
    @Override
    protected byte[] begin() {
        return new byte[0];
    }

    @Override
    protected byte[] beginClosed() {
        return wire.setting(SpdyFrame.INITIAL_WINDOW_SIZE, 0).take();
    }

    @Override
    protected byte[] get(int id, String path) {
        return wire.get(id, path).take();
    }

    @Override
    protected byte[] ping(int round) {
        return wire.numbers(SpdyFrame.PING, id(round)).take();
    }

    /** 20 MB in a frame of 20 KB: rejected at the limit of a block. */
    @Test
    void aBombIsNotUnpacked() {
        ScriptedConnection connection = serve(get(1, "/hold"));
        byte[] bomb = wire.request(3, true, SpdyWire.line("GET", "/", "x", "x".repeat(20_000_000)))
                .take();
        assertTrue(bomb.length < 36_000, bomb.length + " octets");
        long allocated = allocatedBy(bomb);
        assertTrue(connection.isFinished());
        assertTrue(allocated < 1 << 20, allocated + " octets");
    }

    /** A block that claims more fields than possible causes no allocation for them. */
    @Test
    void aCountOfFieldsIsNotBelieved() {
        ScriptedConnection connection = serve(get(1, "/hold"));
        long allocated = allocatedBy(wire.request(3, 1, 0, new byte[] {0x7f, -1, -1, -1, 0x7f, -1, -1, -1})
                .take());
        assertTrue(connection.isFinished());
        assertTrue(allocated < 1 << 20, allocated + " octets");
    }
}
