package io.millrace.connector.http2;

import io.millrace.connector.http2.hpack.FieldTexts;
import io.millrace.connector.http2.hpack.HpackDecoder;
import io.millrace.connector.http2.hpack.HpackException;
import io.millrace.http.Headers;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.ContractLink;
import io.millrace.testkit.MuxContractClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The frames of HTTP/2 for the contract's client. */
final class Http2ContractWire implements MuxContractClient.Wire {

    private static final byte[] NOTHING = {};

    private final HpackDecoder decoder = new HpackDecoder(new FieldTexts());

    /** A client on a link. */
    static ContractClient client(ContractLink link) throws IOException {
        return new MuxContractClient(link, new Http2ContractWire(), MuxOptions.USUAL_WINDOW, MuxOptions.USUAL_WINDOW);
    }

    @Override
    public byte[] begin() {
        byte[] setting = ByteBuffer.allocate(SettingsFrame.SIZE)
                .putShort((short) SettingsFrame.INITIAL_WINDOW_SIZE)
                .putInt(MuxContractClient.WIDE)
                .array();
        byte[] wide = ByteBuffer.allocate(4).putInt(MuxContractClient.WIDE).array();
        return new Wire()
                .bytes(Http2Reader.PREFACE)
                .frame(Frames.SETTINGS, 0, 0, setting)
                .frame(Frames.WINDOW_UPDATE, 0, 0, wide)
                .toArray();
    }

    @Override
    public byte[] request(int id, String method, String target, List<String> fields, boolean end) {
        List<String> all = new ArrayList<>(
                List.of(":method", method, ":scheme", "http", ":authority", "contract", ":path", target));
        all.addAll(fields);
        return new Wire().request(id, end, all.toArray(String[]::new)).toArray();
    }

    @Override
    public byte[] data(int id, byte[] part, boolean end) {
        return new Wire()
                .frame(Frames.DATA, end ? Frames.END_STREAM : 0, id, part)
                .toArray();
    }

    @Override
    public byte[] trailers(int id, List<String> fields) {
        return new Wire().request(id, true, fields.toArray(String[]::new)).toArray();
    }

    @Override
    public byte[] read(MuxContractClient.Octets from, MuxContractClient.Sink to) throws IOException {
        ByteBuffer head = ByteBuffer.wrap(from.next(Frames.HEAD));
        int lengthAndType = head.getInt();
        int flags = head.get();
        int id = head.getInt() & 0x7fff_ffff;
        byte[] payload = from.next(lengthAndType >>> 8);
        boolean end = (flags & Frames.END_STREAM) != 0;
        switch (lengthAndType & 0xff) {
            case Frames.HEADERS -> fields(id, flags, payload, to);
            case Frames.DATA -> to.data(id, payload, end);
            case Frames.RST_STREAM -> to.reset(id);
            case Frames.WINDOW_UPDATE -> to.credit(id, ByteBuffer.wrap(payload).getInt());
            case Frames.SETTINGS -> {
                return settings(flags, ByteBuffer.wrap(payload), to);
            }
            case Frames.GOAWAY, Frames.PING -> {}
            default -> throw new AssertionError("a frame of type " + (lengthAndType & 0xff));
        }
        return NOTHING;
    }

    private void fields(int id, int flags, byte[] block, MuxContractClient.Sink to) throws HpackException {
        if ((flags & Frames.END_HEADERS) == 0) {
            throw new AssertionError("a header block in several frames");
        }
        Headers fields = new Headers();
        decoder.decode(block, 0, block.length, MuxContractClient.WIDE, new HpackDecoder.Fields() {
            @Override
            public boolean field(String name, String value, boolean checked) {
                fields.add(name, value);
                return true;
            }

            @Override
            public void tooLarge() {
                throw new AssertionError("too large");
            }
        });
        String status = fields.get(":status");
        to.fields(id, status == null ? 0 : Integer.parseInt(status), fields, (flags & Frames.END_STREAM) != 0);
    }

    private static byte[] settings(int flags, ByteBuffer payload, MuxContractClient.Sink to) {
        if ((flags & Frames.ACK) != 0) {
            return NOTHING;
        }
        while (payload.hasRemaining()) {
            int id = payload.getShort();
            int value = payload.getInt();
            if (id == SettingsFrame.INITIAL_WINDOW_SIZE) {
                to.initialWindow(value);
            }
        }
        return new Wire().frame(Frames.SETTINGS, Frames.ACK, 0).toArray();
    }
}
