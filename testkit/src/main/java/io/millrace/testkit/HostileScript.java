package io.millrace.testkit;

import io.millrace.testkit.HostileKind.Targets;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;

/** What one connection sends. A script is used by one connection at a time, and begins again with each. */
abstract class HostileScript {

    /** Streams of a multiplexed connection. */
    private static final int STREAMS = 100;

    /** Of these so many in each tick, in turn: below what any server takes for a flood. */
    private static final int STREAMS_A_TICK = 20;

    /** As long as no upload is. */
    private static final int ANNOUNCED = 1_000_000;

    private static final byte[] NOTHING = {};

    /** What is sent first. */
    abstract byte[] first();

    /** Whether the connection is reset in the next tick, and another one opened at once. */
    boolean resets() {
        return false;
    }

    /** Otherwise what is sent then. */
    abstract byte[] next();

    /** Whether the connection goes on after this input. */
    boolean onInput(ByteBuffer received) {
        return true;
    }

    static HostileScript[] of(HostileKind kind, Targets targets) {
        String post = "POST " + targets.upload() + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + ANNOUNCED
                + "\r\n\r\n";
        return switch (kind) {
            case FAIR_CONNECTS, FAIR_H1 -> new HostileScript[] {new Text(get(targets.small()), true, NOTHING)};
            case CONNECTS -> new HostileScript[] {new Text("", true, NOTHING)};
            case H1_READ -> new HostileScript[] {new Text(get(targets.big()), false, NOTHING)};
            case H1_FILE -> new HostileScript[] {new Text(get(targets.file()), false, NOTHING)};
            case H1_PIPELINE -> new HostileScript[] {new Text(get(targets.big()).repeat(STREAMS), false, NOTHING)};
            case H1_HEAD ->
                new HostileScript[] {new Text("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", false, encoded("x"))};
            case H1_BODY -> new HostileScript[] {new Text(post, false, encoded("x"))};
            case H1_ABORT ->
                new HostileScript[] {
                    new Text("GET / HTTP/1.1\r\nHost: local", true, NOTHING),
                    new Text(post + "x".repeat(1000), true, NOTHING),
                    new Text(get(targets.big()), true, NOTHING)
                };
            case H2_WINDOWS, H2_BODY, H2_RESET, H2_COOKIES, FAIR_H2_400, FAIR_H2_100 ->
                new HostileScript[] {new Http2(kind, targets)};
            case SPDY_WINDOWS, SPDY_BODY, SPDY_RESET, FAIR_SPDY -> new HostileScript[] {new Spdy(kind, targets)};
            case AJP_READ -> new HostileScript[] {new Ajp(targets.big(), false)};
            case AJP_BODY -> new HostileScript[] {new Ajp(targets.upload(), true)};
        };
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    private static byte[] encoded(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The same in each tick. */
    private static final class Text extends HostileScript {

        private final byte[] begin;
        private final boolean resets;
        private final byte[] each;

        Text(String begin, boolean resets, byte[] each) {
            this.begin = encoded(begin);
            this.resets = resets;
            this.each = each;
        }

        @Override
        byte[] first() {
            return begin;
        }

        @Override
        boolean resets() {
            return resets;
        }

        @Override
        byte[] next() {
            return each;
        }
    }

    /** AJP 1.3: a front end's connection with one request. */
    private static final class Ajp extends HostileScript {

        private final byte[] request;
        private final byte[] piece;

        Ajp(String target, boolean uploads) {
            int query = target.indexOf('?');
            Packet packet = new Packet().bytes(2, uploads ? 4 : 2);
            packet.text("HTTP/1.1").text(query < 0 ? target : target.substring(0, query));
            packet.text("192.0.2.7")
                    .text("192.0.2.7")
                    .text("localhost")
                    .number(80, 2)
                    .bytes(0);
            // headers by their codes: Host and Content-Length
            packet.number(uploads ? 2 : 1, 2).number(0xA00B, 2).text("localhost");
            if (uploads) {
                packet.number(0xA008, 2).text(Integer.toString(ANNOUNCED));
            }
            if (query >= 0) {
                packet.bytes(5).text(target.substring(query + 1));
            }
            byte[] forward = framed(packet.bytes(0xFF));
            piece = uploads ? framed(new Packet().number(1, 2).bytes('x')) : NOTHING;
            request = new Packet().put(forward).put(piece).toBytes();
        }

        private static byte[] framed(Packet payload) {
            byte[] content = payload.toBytes();
            return new Packet()
                    .number(0x1234, 2)
                    .number(content.length, 2)
                    .put(content)
                    .toBytes();
        }

        @Override
        byte[] first() {
            return request;
        }

        @Override
        byte[] next() {
            return piece;
        }
    }

    /** What HTTP/2 and SPDY share: which streams do what in a tick. */
    private abstract static class Mux extends HostileScript {

        final Targets targets;
        private final boolean uploads;
        private final boolean resets;
        private final boolean isShort;
        final int window;
        final boolean cookies;
        private final List<Integer> streams = new ArrayList<>();
        private int nextId;
        private int at;
        private byte[] frame = NOTHING;

        Mux(HostileKind kind, Targets targets) {
            this.targets = targets;
            uploads = kind == HostileKind.H2_BODY || kind == HostileKind.SPDY_BODY;
            resets = kind == HostileKind.H2_RESET || kind == HostileKind.SPDY_RESET;
            cookies = kind == HostileKind.H2_COOKIES;
            isShort = cookies || kind.isFair();
            window = kind.isFair() ? 65_535 : 0;
        }

        /** The preface, with the {@link #window} of streams. */
        abstract void begin(Packet to);

        abstract void request(int id, String path, boolean post, Packet to);

        abstract void reset(int id, Packet to);

        abstract void data(int id, Packet to);

        abstract void credit(int id, Packet to);

        /** Bytes of a frame's head. */
        abstract int headLength();

        /** The length of a frame's payload, from its head. */
        abstract int length(byte[] head);

        /** A frame came; false at a GOAWAY. */
        abstract boolean onFrame(byte[] frame, int head);

        @Override
        final byte[] first() {
            Packet packet = new Packet();
            streams.clear();
            nextId = 1;
            at = 0;
            frame = NOTHING;
            begin(packet);
            return requests(packet).toBytes();
        }

        /** Opens streams until there are enough; those that are reset at once, and short ones, all of them. */
        private Packet requests(Packet to) {
            while (streams.size() < STREAMS) {
                int id = nextId;
                nextId += 2;
                request(id, uploads ? targets.upload() : isShort ? targets.small() : targets.big(), uploads, to);
                streams.add(id);
                if (resets) {
                    reset(id, to);
                }
            }
            if (resets || isShort) {
                streams.clear();
            }
            return to;
        }

        @Override
        final byte[] next() {
            Packet packet = requests(acknowledged());
            for (int i = 0; i < STREAMS_A_TICK && !streams.isEmpty(); i++) {
                int id = streams.get(at++ % streams.size());
                if (uploads) {
                    data(id, packet);
                } else {
                    credit(id, packet);
                }
            }
            return packet.toBytes();
        }

        /** What must be answered. */
        abstract Packet acknowledged();

        final void ended(int id) {
            streams.removeIf(each -> each == id);
        }

        @Override
        final boolean onInput(ByteBuffer received) {
            ByteBuffer all = ByteBuffer.allocate(frame.length + received.remaining())
                    .put(frame)
                    .put(received)
                    .flip();
            byte[] head = new byte[headLength()];
            while (all.remaining() >= head.length) {
                all.get(all.position(), head);
                int length = head.length + length(head);
                if (all.remaining() < length) {
                    break;
                }
                byte[] whole = new byte[length];
                all.get(whole);
                if (!onFrame(whole, head.length)) {
                    return false;
                }
            }
            frame = new byte[all.remaining()];
            all.get(frame);
            return true;
        }
    }

    /** RFC 9113, with prior knowledge. */
    private static final class Http2 extends Mux {

        private static final int DATA = 0;
        private static final int HEADERS = 1;
        private static final int RST_STREAM = 3;
        private static final int SETTINGS = 4;
        private static final int PING = 6;
        private static final int GOAWAY = 7;
        private static final int WINDOW_UPDATE = 8;
        private static final int END_STREAM = 1;
        private static final int END_HEADERS = 4;
        private static final int ACK = 1;
        private static final int CRUMBS = 100;

        private Packet answers = new Packet();

        Http2(HostileKind kind, Targets targets) {
            super(kind, targets);
        }

        private static void frame(int kind, int flags, int id, byte[] payload, Packet to) {
            to.number(payload.length, 3).bytes(kind, flags).number(id, 4).put(payload);
        }

        @Override
        void begin(Packet to) {
            answers = new Packet();
            to.put(encoded("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
            frame(SETTINGS, 0, 0, new Packet().number(4, 2).number(window, 4).toBytes(), to);
        }

        /** Literals without indexing but of the cookie, which is added to the dynamic table by the first request. */
        @Override
        void request(int id, String path, boolean post, Packet to) {
            Packet block = new Packet().bytes(post ? 0x83 : 0x82, 0x86, 0x04).shortText(path);
            block.bytes(0x01).shortText("localhost");
            if (post) {
                block.bytes(0x0F, 28 - 15).shortText(Integer.toString(ANNOUNCED));
            }
            if (cookies && id == 1) {
                block.bytes(0x40 | 32).shortText("a=" + "x".repeat(100));
            }
            for (int i = 0; cookies && i < CRUMBS; i++) {
                block.bytes(0x80 | 62);
            }
            frame(HEADERS, END_HEADERS | (post ? 0 : END_STREAM), id, block.toBytes(), to);
        }

        @Override
        void reset(int id, Packet to) {
            frame(RST_STREAM, 0, id, new Packet().number(8, 4).toBytes(), to);
        }

        @Override
        void data(int id, Packet to) {
            frame(DATA, 0, id, new byte[] {'x'}, to);
        }

        @Override
        void credit(int id, Packet to) {
            frame(WINDOW_UPDATE, 0, id, new Packet().number(1, 4).toBytes(), to);
        }

        @Override
        int headLength() {
            return 9;
        }

        @Override
        int length(byte[] head) {
            return (head[0] & 0xFF) << 16 | (head[1] & 0xFF) << 8 | head[2] & 0xFF;
        }

        @Override
        boolean onFrame(byte[] frame, int head) {
            int kind = frame[3];
            boolean flag = (frame[4] & 1) != 0; // ACK or END_STREAM
            if (!flag && (kind == SETTINGS || kind == PING)) {
                byte[] payload = kind == PING ? Arrays.copyOfRange(frame, head, frame.length) : NOTHING;
                frame(kind, ACK, 0, payload, answers);
            } else if (kind == RST_STREAM || flag && (kind == DATA || kind == HEADERS)) {
                ended(ByteBuffer.wrap(frame).getInt(5));
            }
            return kind != GOAWAY;
        }

        @Override
        Packet acknowledged() {
            Packet packet = answers;
            answers = new Packet();
            return packet;
        }
    }

    /** SPDY/3.1. Its header blocks are compressed without the preset dictionary, which a zlib stream may be (RFC 1950, 2.2). */
    private static final class Spdy extends Mux {

        private static final int SYN_STREAM = 1;
        private static final int SYN_REPLY = 2;
        private static final int RST_STREAM = 3;
        private static final int SETTINGS = 4;
        private static final int GOAWAY = 7;
        private static final int WINDOW_UPDATE = 9;

        private Deflater deflater = new Deflater();

        Spdy(HostileKind kind, Targets targets) {
            super(kind, targets);
        }

        private static void control(int kind, int flags, byte[] payload, Packet to) {
            to.number(0x8003, 2)
                    .number(kind, 2)
                    .bytes(flags)
                    .number(payload.length, 3)
                    .put(payload);
        }

        @Override
        void begin(Packet to) {
            deflater.end();
            deflater = new Deflater();
            control(
                    SETTINGS,
                    0,
                    new Packet().number(1, 4).number(7, 4).number(window, 4).toBytes(),
                    to);
        }

        @Override
        void request(int id, String path, boolean post, Packet to) {
            Packet block = new Packet().number(post ? 6 : 5, 4);
            String text = ":method " + (post ? "POST" : "GET") + " :path " + path
                    + " :version HTTP/1.1 :host localhost :scheme http content-length " + ANNOUNCED;
            String[] fields = text.split(" ", -1);
            for (int i = 0; i < (post ? 12 : 10); i++) {
                block.number(fields[i].length(), 4).put(encoded(fields[i]));
            }
            deflater.setInput(block.toBytes());
            byte[] compressed = new byte[1024];
            int length = deflater.deflate(compressed, 0, compressed.length, Deflater.SYNC_FLUSH);
            Packet payload = new Packet().number(id, 4).number(0, 6).put(Arrays.copyOf(compressed, length));
            control(SYN_STREAM, post ? 0 : 1, payload.toBytes(), to);
        }

        @Override
        void reset(int id, Packet to) {
            control(RST_STREAM, 0, new Packet().number(id, 4).number(5, 4).toBytes(), to);
        }

        @Override
        void data(int id, Packet to) {
            to.number(id, 4).number(1, 4).bytes('x');
        }

        @Override
        void credit(int id, Packet to) {
            control(WINDOW_UPDATE, 0, new Packet().number(id, 4).number(1, 4).toBytes(), to);
        }

        @Override
        int headLength() {
            return 8;
        }

        @Override
        int length(byte[] head) {
            return (head[5] & 0xFF) << 16 | (head[6] & 0xFF) << 8 | head[7] & 0xFF;
        }

        @Override
        boolean onFrame(byte[] frame, int head) {
            boolean data = frame[0] >= 0;
            boolean ends = (frame[4] & 1) != 0;
            int kind = frame[3];
            if (data ? ends : kind == RST_STREAM || kind == SYN_REPLY && ends) {
                ended(ByteBuffer.wrap(frame).getInt(data ? 0 : head));
            }
            return data || kind != GOAWAY;
        }

        @Override
        Packet acknowledged() {
            return new Packet();
        }
    }

    /** Bytes that grow. */
    private static final class Packet {

        private final ByteArrayOutputStream content = new ByteArrayOutputStream();

        Packet bytes(int... values) {
            for (int value : values) {
                content.write(value);
            }
            return this;
        }

        /** The last so many bytes of a number. */
        Packet number(int value, int length) {
            for (int i = length - 1; i >= 0; i--) {
                content.write(value >> 8 * i);
            }
            return this;
        }

        Packet put(byte[] more) {
            content.writeBytes(more);
            return this;
        }

        /** As in AJP: the length, the text, and a zero. */
        Packet text(String text) {
            return number(text.length(), 2).put(encoded(text)).bytes(0);
        }

        /** As in HPACK: the length and the text, below 127 characters. */
        Packet shortText(String text) {
            return bytes(text.length()).put(encoded(text));
        }

        byte[] toBytes() {
            return content.toByteArray();
        }
    }
}
