package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.ResponseHead;
import io.millrace.io.Payload;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.race.FailingTimers;
import io.millrace.settings.Settings;
import io.millrace.testkit.FrameTranscript;
import io.millrace.testkit.ScriptedConnection;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Malicious and unusual clients, frame by frame. */
class Http2AdversaryTest {

    private static final byte[] WIDEST = {0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff};

    /** More than a flow-control window. */
    private static final String[] LARGE_UPLOAD = {
        ":method", "POST", ":scheme", "http", ":authority", "a.test", ":path", "/", "content-length", "100000"
    };

    private final ScriptedConnection connection = new ScriptedConnection();

    /** A frame that the server has sent. */
    private record Sent(int type, int id) {}

    private ScriptedConnection serve(Settings options, Dispatcher dispatcher) {
        Http2Protocol protocol = new Http2Protocol(options, "http");
        return connection.start(protocol.open(connection, null, dispatcher));
    }

    private List<Sent> sent(int type) {
        List<Sent> frames = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(connection.sentBytes());
        while (bytes.hasRemaining()) {
            int lengthAndType = bytes.getInt();
            bytes.get(); // the flags
            Sent frame = new Sent(lengthAndType & 0xff, bytes.getInt());
            bytes.position(bytes.position() + (lengthAndType >>> 8));
            if (frame.type() == type) {
                frames.add(frame);
            }
        }
        return frames;
    }

    private static void answer(HttpStream stream) {
        stream.send(new ResponseHead(), Payload.NOTHING, true, failure -> stream.end());
    }

    @AfterEach
    void nothingIsHeld() {
        connection.breakOff();
        assertEquals(0, connection.channel().buffers().outstanding());
    }

    @Test
    void unlimitedStreamsAreServed() {
        serve(
                        Settings.DEFAULTS.with(MuxOptions.MAX_CONCURRENT_STREAMS, Integer.MAX_VALUE),
                        (request, stream) -> answer(stream))
                .receive(Wire.begun().get(1, "/").toArray());

        assertEquals(List.of(), sent(Frames.RST_STREAM));
        assertEquals(1, sent(Frames.HEADERS).size());
    }

    @Test
    void aSmallInitialWindowOpensForABodyOfKnownLength() {
        Settings none = Settings.DEFAULTS.with(MuxOptions.INITIAL_WINDOW_SIZE, 0);
        serve(none, (request, stream) -> stream.awaitReadable(() -> {}))
                .receive(Wire.begun()
                        .request(
                                1,
                                false,
                                ":method",
                                "POST",
                                ":scheme",
                                "http",
                                ":authority",
                                "a.test",
                                ":path",
                                "/",
                                "content-length",
                                "5")
                        .toArray());

        assertTrue(sent(Frames.WINDOW_UPDATE).stream().anyMatch(frame -> frame.id() == 1), "the peer may send nothing");
    }

    /** RFC 9113, 8.1.1. */
    @Test
    void aBodyThatDiffersFromItsContentLengthIsMalformed() {
        List<Throwable> causes = new ArrayList<>();
        serve(Settings.DEFAULTS, (request, stream) -> stream.onClosed(causes::add))
                .receive(Wire.begun()
                        .request(1, false, announcing("3"))
                        .data(1, "xx", true)
                        .request(3, false, announcing("1"))
                        .data(3, "xx", false)
                        .request(5, false, announcing("2"))
                        .data(5, "xx", true)
                        .toArray());

        assertEquals(
                List.of(1, 3), sent(Frames.RST_STREAM).stream().map(Sent::id).toList());
        assertEquals(2, causes.size());
        assertEquals(List.of(), sent(Frames.GOAWAY));
    }

    private static String[] announcing(String length) {
        return new String[] {
            ":method", "POST", ":scheme", "http", ":authority", "a.test", ":path", "/", "content-length", length
        };
    }

    @Test
    void eachExchangeLearnsOfTheResetThatIsOneTooMany() {
        int count = 150;
        List<Throwable> told = new ArrayList<>();
        serve(
                Settings.DEFAULTS.with(MuxOptions.MAX_CONCURRENT_STREAMS, count),
                (request, stream) -> stream.onClosed(told::add));
        Wire wire = Wire.begun();
        for (int i = 0; i < count; i++) {
            wire.post(2 * i + 1, "/");
        }
        for (int i = 0; i < 900; i++) {
            wire.request(2 * (count + i) + 1, true, "UPPER", "case");
        }
        for (int i = 0; i < count; i++) {
            wire.frame(Frames.WINDOW_UPDATE, 0, 2 * i + 1, WIDEST);
        }
        connection.receive(wire.toArray());

        assertEquals(1, sent(Frames.GOAWAY).size());
        assertEquals(count, told.size());
    }

    @Test
    void aListenerThatFailsKeepsTheOthersFromNothing() {
        List<String> closed = new ArrayList<>();
        List<String> completed = new ArrayList<>();
        Wire wire = Wire.begun().frame(Frames.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0});
        serve(Settings.DEFAULTS, (request, stream) -> {
            stream.onClosed(cause -> {
                closed.add(request.target());
                throw new OutOfMemoryError("no thread");
            });
            stream.send(new ResponseHead(), Payload.of(ByteBuffer.allocate(100)), true, failure -> {
                completed.add(request.target());
                throw new OutOfMemoryError("no thread");
            });
        });
        connection.receive(wire.get(1, "/1").get(3, "/3").get(5, "/5").toArray());
        try {
            connection.breakOff();
        } catch (OutOfMemoryError expected) {
            assertEquals("no thread", expected.getMessage());
        }

        assertEquals(List.of("/1", "/3", "/5"), closed.stream().sorted().toList());
        assertEquals(List.of("/1", "/3", "/5"), completed.stream().sorted().toList());
    }

    @Test
    void aRefusedHeadRequestGetsNoBody() {
        serve(Settings.DEFAULTS, (request, stream) -> answer(stream))
                .receive(Wire.begun()
                        .request(1, true, ":method", "HEAD", ":scheme", "http", ":authority", "a.test", ":path", "/%zz")
                        .toArray());

        assertEquals(1, sent(Frames.HEADERS).size());
        assertEquals(List.of(), sent(Frames.DATA));
    }

    @Test
    void aBodyUnderWayWhenItsStreamWasResetLongAgoIsIgnored() {
        serve(Settings.DEFAULTS, (request, stream) -> answer(stream))
                .receive(Wire.begun().request(1, false, LARGE_UPLOAD).toArray());
        assertEquals(1, sent(Frames.RST_STREAM).size());
        Wire wire = new Wire();
        for (int id = 3; id < 603; id += 2) {
            wire.get(id, "/");
        }
        connection.receive(wire.data(1, "late", true).toArray());

        assertEquals(List.of(), sent(Frames.GOAWAY));
    }

    /** Each costs the server as much as its sender, and serves no purpose. */
    @Test
    void openedWindowsBeyondWhatWasSentEndTheConnection() {
        serve(Settings.DEFAULTS, (request, stream) -> {})
                .receive(Wire.begun().get(1, "/").toArray());
        Wire wire = new Wire();
        for (int i = 0; i < 11_000; i++) {
            wire.frame(Frames.WINDOW_UPDATE, 0, i % 2, new byte[] {0, 0, 0, 1});
        }
        connection.receive(wire.toArray());

        assertEquals(1, sent(Frames.GOAWAY).size());
    }

    @Test
    void aClientThatOpensBothWindowsForEachFrameIsServed() {
        int frames = 20_000;
        serve(Settings.DEFAULTS, (request, stream) -> trickle(stream, new ResponseHead(), frames))
                .receive(Wire.begun().get(1, "/").toArray());
        Wire both = new Wire()
                .frame(Frames.WINDOW_UPDATE, 0, 1, new byte[] {0, 0, 0, 10})
                .frame(Frames.WINDOW_UPDATE, 0, 0, new byte[] {0, 0, 0, 10});
        for (int i = 0; i < frames; i++) {
            connection.receive(both.toArray());
        }

        assertEquals(List.of(), sent(Frames.GOAWAY));
    }

    /** Ten octets at a time. */
    private static void trickle(HttpStream stream, @Nullable ResponseHead head, int pieces) {
        stream.send(head, Payload.of(ByteBuffer.allocate(10)), pieces == 1, failure -> {
            if (failure != null) {
                stream.abort(failure);
            } else if (pieces == 1) {
                stream.end();
            } else {
                trickle(stream, null, pieces - 1);
            }
        });
    }

    /** A client that sends it first wants it to apply from the first octet (RFC 9218, 7). */
    @Test
    void aPriorityThatComesBeforeItsRequestHolds() {
        serve(
                        Settings.DEFAULTS,
                        (request, stream) -> stream.send(
                                new ResponseHead(),
                                Payload.of(ByteBuffer.allocate(30_000)),
                                true,
                                failure -> stream.end()))
                .receive(Wire.begun()
                        .frame(Frames.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0})
                        .frame(Frames.PRIORITY_UPDATE, 0, 0, new byte[] {0, 0, 0, 5, 'u', '=', '0'})
                        .get(1, "/")
                        .get(3, "/")
                        .get(5, "/")
                        .toArray());
        connection.hold();
        connection.receive(new Wire()
                .frame(Frames.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0x70, 0})
                .toArray());
        connection.unhold();

        int at = 0;
        while (sent(Frames.DATA).get(at).id() != 5) {
            at++;
        }
        assertEquals(0, at, sent(Frames.DATA).toString());
    }

    @Test
    void prioritiesOfStreamsThatNeverComeAreBounded() {
        serve(Settings.DEFAULTS, (request, stream) -> answer(stream));
        Wire wire = Wire.begun();
        for (int id = 1; id < 10_000; id += 2) {
            wire.frame(Frames.PRIORITY_UPDATE, 0, 0, number(id, "u=0"));
        }
        connection.receive(wire.get(10_001, "/").toArray());

        assertEquals(1, sent(Frames.HEADERS).size());
        assertEquals(List.of(), sent(Frames.GOAWAY));
    }

    private static byte[] number(int id, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(4 + bytes.length).putInt(id).put(bytes).array();
    }

    @Test
    void aStreamThatWasPassedOverIsNotTakenForAnOldOne() {
        serve(Settings.DEFAULTS, (request, stream) -> answer(stream))
                .receive(Wire.begun().get(5, "/").get(3, "/").toArray());

        assertEquals(1, sent(Frames.GOAWAY).size());
    }

    @Test
    void aFrameThatComesOctetByOctetIsNotWaitedForLonger() {
        Duration limit = Duration.ofMillis(1);
        serve(
                        Settings.DEFAULTS.with(ProtocolOptions.CONNECTION_TIMEOUT, limit),
                        (request, stream) -> stream.onClosed(cause -> {}))
                .receive(Wire.begun().post(1, "/").bytes(new byte[] {0}).toArray());
        long end = System.nanoTime() + 4 * limit.toNanos();
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        connection.receive(new byte[] {0});

        assertEquals(1, sent(Frames.GOAWAY).size());
    }

    @Test
    void aProtocolThatIsNoTokenIsMalformed() {
        for (String protocol : List.of("websocket\r\nhost: b.test", "web socket", "a\0b", "a,b")) {
            FrameTranscript told = Http2Reading.read(Wire.begun()
                    .request(
                            1,
                            false,
                            ":method",
                            "CONNECT",
                            ":scheme",
                            "http",
                            ":authority",
                            "a.test",
                            ":path",
                            "/",
                            ":protocol",
                            protocol));
            assertTrue(told.last().startsWith("fault 1 PROTOCOL"), told.last());
        }
    }

    @Test
    void anExchangeEndsAlthoughNoTimerLimitsTheRestOfItsBody() {
        ScriptedConnection failing = new ScriptedConnection(FailingTimers.open());
        List<HttpStream> streams = new ArrayList<>();
        failing.start(new Http2Protocol(Settings.DEFAULTS, "http")
                .open(failing, null, (request, stream) -> streams.add(stream)));
        failing.receive(Wire.begun().post(1, "/").toArray());
        HttpStream stream = streams.get(0);
        failing.run(() -> stream.send(new ResponseHead(), Payload.NOTHING, true, failure -> {}));

        assertThrows(OutOfMemoryError.class, () -> failing.run(stream::end));
        failing.receive(new Wire().data(1, "whole", true).toArray());
        failing.receive(new Wire().frame(Frames.GOAWAY, 0, 0, new byte[8]).toArray());

        assertTrue(failing.isFinished(), "the exchange still counts as running");
    }
}
