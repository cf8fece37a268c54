package io.millrace.connector.http2;

import io.millrace.connector.http2.hpack.FieldTexts;
import io.millrace.connector.http2.hpack.HpackDecoder;
import io.millrace.connector.http2.hpack.HpackException;
import io.millrace.protocol.mux.Fault;
import io.millrace.testkit.MuxClient;
import io.millrace.testkit.RawClient;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An HTTP/2 client that sends frames on command of the test; only settings and pings are acknowledged automatically. */
final class Http2MuxClient implements MuxClient {

    private static final int WITHOUT_RESERVED_BIT = 0x7fff_ffff;
    private static final int UNBOUNDED = 1 << 30;

    private final RawClient client;
    private final String scheme;
    private final HpackDecoder decoder = new HpackDecoder(new FieldTexts());

    /** Begins the connection, whose requests have this scheme. */
    Http2MuxClient(RawClient client, String scheme) throws IOException {
        this.client = client;
        this.scheme = scheme;
        send(Wire.begun());
    }

    private synchronized void send(Wire frames) throws IOException {
        client.send(frames.toArray());
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    @Override
    public void request(int id, String method, String path, boolean end) throws IOException {
        send(new Wire()
                .request(id, end, ":method", method, ":scheme", scheme, ":authority", "contract", ":path", path));
    }

    @Override
    public void data(int id, int length, boolean end) throws IOException {
        send(new Wire().frame(Frames.DATA, end ? Frames.END_STREAM : 0, id, new byte[length]));
    }

    @Override
    public void credit(int id, int bytes) throws IOException {
        send(new Wire().frame(Frames.WINDOW_UPDATE, 0, id, number(bytes)));
    }

    @Override
    public void initialWindow(int bytes) throws IOException {
        byte[] setting = ByteBuffer.allocate(SettingsFrame.SIZE)
                .putShort((short) SettingsFrame.INITIAL_WINDOW_SIZE)
                .putInt(bytes)
                .array();
        send(new Wire().frame(Frames.SETTINGS, 0, 0, setting));
    }

    @Override
    public void reset(int id) throws IOException {
        send(new Wire().frame(Frames.RST_STREAM, 0, id, number(ErrorCode.of(Fault.CANCEL))));
    }

    @Override
    public Event next() throws IOException {
        ByteBuffer head;
        try {
            head = ByteBuffer.wrap(client.read(Frames.HEAD));
        } catch (EOFException ended) {
            return new Event(Kind.END, 0, 0, true);
        }
        int lengthAndType = head.getInt();
        int flags = head.get();
        int id = head.getInt() & WITHOUT_RESERVED_BIT;
        byte[] payload = client.read(lengthAndType >>> 8);
        if (payload.length > Frames.MAX_PAYLOAD) {
            throw new AssertionError("a frame of " + payload.length + " octets");
        }
        return event(lengthAndType & 0xff, flags, id, payload);
    }

    private Event event(int type, int flags, int id, byte[] payload) throws IOException {
        boolean end = (flags & Frames.END_STREAM) != 0;
        return switch (type) {
            case Frames.HEADERS -> {
                int status = status(payload);
                yield new Event(status == 0 ? Kind.TRAILERS : Kind.HEAD, id, status, end);
            }
            case Frames.DATA -> new Event(Kind.DATA, id, payload.length, end);
            case Frames.RST_STREAM -> new Event(Kind.RESET, id, 0, true);
            case Frames.WINDOW_UPDATE ->
                new Event(Kind.CREDIT, id, ByteBuffer.wrap(payload).getInt(), false);
            case Frames.GOAWAY ->
                new Event(Kind.GO_AWAY, 0, ByteBuffer.wrap(payload).getInt(), false);
            case Frames.SETTINGS, Frames.PING -> {
                acknowledge(type, flags, payload);
                yield new Event(Kind.OTHER, 0, 0, false);
            }
            default -> throw new AssertionError("a frame of type " + type);
        };
    }

    private void acknowledge(int type, int flags, byte[] payload) throws IOException {
        if ((flags & Frames.ACK) == 0) {
            send(new Wire().frame(type, Frames.ACK, 0, type == Frames.PING ? payload : new byte[0]));
        }
    }

    /** 0 if there is none. */
    private int status(byte[] block) throws HpackException {
        int[] status = {0};
        decoder.decode(block, 0, block.length, UNBOUNDED, new HpackDecoder.Fields() {
            @Override
            public boolean field(String name, String value, boolean checked) {
                if (name.equals(":status")) {
                    status[0] = Integer.parseInt(value);
                }
                return true;
            }

            @Override
            public void tooLarge() {
                throw new AssertionError("too large");
            }
        });
        return status[0];
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
