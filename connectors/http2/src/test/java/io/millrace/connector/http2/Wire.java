package io.millrace.connector.http2;

import io.millrace.connector.http2.hpack.FieldName;
import io.millrace.connector.http2.hpack.HpackEncoder;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** The output of a client, frame by frame. */
final class Wire {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** Empty. */
    Wire() {}

    /** The beginning of a connection: the preface, and empty settings. */
    static Wire begun() {
        return new Wire().bytes(Http2Reader.PREFACE).frame(Frames.SETTINGS, 0, 0);
    }

    Wire bytes(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    Wire frame(int type, int flags, int id, byte... payload) {
        return frame(type, flags, id, payload.length, payload);
    }

    /** A frame with any length in its header. */
    Wire frame(int type, int flags, int id, int length, byte[] payload) {
        ByteBuffer head = ByteBuffer.allocate(Frames.HEAD);
        head.putInt(length << 8 | type).put((byte) flags).putInt(id);
        return bytes(head.array()).bytes(payload);
    }

    Wire hex(int type, int flags, int id, String payload) {
        return frame(type, flags, id, HexFormat.of().parseHex(payload.replace(" ", "")));
    }

    Wire data(int id, String text, boolean end) {
        return frame(Frames.DATA, end ? Frames.END_STREAM : 0, id, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** A complete request head. */
    Wire request(int id, boolean end, String... fields) {
        int flags = Frames.END_HEADERS | (end ? Frames.END_STREAM : 0);
        return frame(Frames.HEADERS, flags, id, block(fields));
    }

    /** The head of a GET. */
    Wire get(int id, String path) {
        return request(id, true, ":method", "GET", ":scheme", "http", ":authority", "a.test", ":path", path);
    }

    /** The head of a request with a body. */
    Wire post(int id, String path) {
        return request(id, false, ":method", "POST", ":scheme", "http", ":authority", "a.test", ":path", path);
    }

    byte[] toArray() {
        return out.toByteArray();
    }

    /** Fields as literals, whose names may be invalid. */
    static byte[] block(String... fields) {
        ByteBuffer block = ByteBuffer.allocate(200_000);
        HpackEncoder encoder = new HpackEncoder();
        encoder.begin(block);
        for (int i = 0; i < fields.length; i += 2) {
            encoder.field(new FieldName(fields[i], 0, FieldName.Indexing.LITERAL), fields[i + 1], block);
        }
        return Arrays.copyOf(block.array(), block.position());
    }
}
