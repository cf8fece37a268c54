package io.millrace.connector.spdy;

import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.testkit.MuxClient;
import io.millrace.testkit.RawClient;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A SPDY client that sends frames on command of the test; only pings are replied to automatically. */
final class SpdyMuxClient implements MuxClient {

    private final RawClient client;
    private final String scheme;
    private final SpdyWire wire = new SpdyWire();
    private final SpdyHeard heard = new SpdyHeard();

    /** Begins the connection, whose requests have this scheme, with the window that the contract expects. */
    SpdyMuxClient(RawClient client, String scheme) throws IOException {
        this.client = client;
        this.scheme = scheme;
        initialWindow(MuxOptions.USUAL_WINDOW);
    }

    private void flush() throws IOException {
        client.send(wire.take());
    }

    @Override
    public synchronized void request(int id, String method, String path, boolean end) throws IOException {
        String[] fields = SpdyWire.line(method, path);
        fields[fields.length - 1] = scheme;
        wire.request(id, end, fields);
        flush();
    }

    @Override
    public synchronized void data(int id, int length, boolean end) throws IOException {
        wire.data(id, new byte[length], end);
        flush();
    }

    @Override
    public synchronized void credit(int id, int bytes) throws IOException {
        wire.numbers(SpdyFrame.WINDOW_UPDATE, id, bytes);
        flush();
    }

    @Override
    public synchronized void initialWindow(int bytes) throws IOException {
        wire.setting(SpdyFrame.INITIAL_WINDOW_SIZE, bytes);
        flush();
    }

    @Override
    public synchronized void reset(int id) throws IOException {
        wire.numbers(SpdyFrame.RST_STREAM, id, SpdyStatus.ofReset(Fault.CANCEL));
        flush();
    }

    @Override
    public Event next() throws IOException {
        ByteBuffer head;
        try {
            head = ByteBuffer.wrap(client.read(SpdyFrame.HEAD));
        } catch (EOFException ended) {
            return new Event(Kind.END, 0, 0, true);
        }
        int first = head.getInt();
        int second = head.getInt();
        byte[] payload = client.read(second & 0xff_ffff);
        boolean end = (second >>> 24 & SpdyFrame.FIN) != 0;
        if (first >= 0) {
            return new Event(Kind.DATA, first, payload.length, end);
        }
        if ((first >>> 16 & 0x7fff) != SpdyFrame.VERSION) {
            throw new AssertionError("a frame of version " + (first >>> 16 & 0x7fff));
        }
        return event(first & 0xffff, end, payload);
    }

    private Event event(int type, boolean end, byte[] payload) throws IOException {
        ByteBuffer content = ByteBuffer.wrap(payload);
        int id = content.getInt();
        return switch (type) {
            case SpdyFrame.SYN_REPLY -> new Event(Kind.HEAD, id, SpdyHeard.status(heard.fields(payload, 4)), end);
            case SpdyFrame.HEADERS -> {
                heard.fields(payload, 4);
                yield new Event(Kind.TRAILERS, id, 0, end);
            }
            case SpdyFrame.RST_STREAM -> new Event(Kind.RESET, id, 0, true);
            case SpdyFrame.WINDOW_UPDATE -> new Event(Kind.CREDIT, id, content.getInt(), false);
            case SpdyFrame.GOAWAY -> new Event(Kind.GO_AWAY, 0, id, false);
            case SpdyFrame.PING -> {
                answer(id);
                yield new Event(Kind.OTHER, 0, 0, false);
            }
            case SpdyFrame.SETTINGS -> new Event(Kind.OTHER, 0, 0, false);
            default -> throw new AssertionError("a frame of type " + type);
        };
    }

    private synchronized void answer(int ping) throws IOException {
        if ((ping & 1) == 0) {
            wire.numbers(SpdyFrame.PING, ping);
            flush();
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
