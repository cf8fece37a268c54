package io.millrace.connector.spdy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.Deflater;

/** The output of a client, frame by frame; its header blocks are compressed with the dictionary. */
final class SpdyWire {

    private static final int CREDENTIAL = 10;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Deflater deflater = new Deflater();

    /** Empty. */
    SpdyWire() {
        deflater.setDictionary(HeaderInflater.Dictionary.get());
    }

    SpdyWire bytes(byte... bytes) {
        out.writeBytes(bytes);
        return this;
    }

    SpdyWire hex(String bytes) {
        return bytes(HexFormat.of().parseHex(bytes.replace(" ", "")));
    }

    SpdyWire control(int type, int flags, byte... payload) {
        ByteBuffer head = ByteBuffer.allocate(SpdyFrame.HEAD);
        SpdyWriter.controlHead(head, type, flags, payload.length);
        return bytes(head.array()).bytes(payload);
    }

    /** A frame whose payload consists of 32-bit numbers. */
    SpdyWire numbers(int type, int... numbers) {
        ByteBuffer payload = ByteBuffer.allocate(4 * numbers.length);
        for (int number : numbers) {
            payload.putInt(number);
        }
        return control(type, 0, payload.array());
    }

    SpdyWire setting(int id, int value) {
        return numbers(SpdyFrame.SETTINGS, 1, id, value);
    }

    SpdyWire credential() {
        return control(CREDENTIAL, 0, new byte[] {0, 1, 0, 0, 0, 0});
    }

    SpdyWire data(int id, byte[] body, boolean end) {
        ByteBuffer head = ByteBuffer.allocate(SpdyFrame.HEAD);
        head.putInt(id).putInt((end ? SpdyFrame.FIN << 24 : 0) | body.length);
        return bytes(head.array()).bytes(body);
    }

    SpdyWire data(int id, String text, boolean end) {
        return data(id, text.getBytes(StandardCharsets.ISO_8859_1), end);
    }

    /** A complete request head. */
    SpdyWire request(int id, boolean end, String... fields) {
        return request(id, end ? SpdyFrame.FIN : 0, 3, block(fields));
    }

    /** A frame with any octets as its header block, which are compressed. */
    SpdyWire request(int id, int flags, int priority, byte[] block) {
        byte[] compressed = compress(block);
        ByteBuffer payload = ByteBuffer.allocate(SpdyFrame.SYN_STREAM_HEAD + compressed.length);
        payload.putInt(id).putInt(0).put((byte) (priority << 5)).put((byte) 0).put(compressed);
        return control(SpdyFrame.SYN_STREAM, flags, payload.array());
    }

    SpdyWire headers(int id, boolean end, String... fields) {
        byte[] compressed = compress(block(fields));
        ByteBuffer payload = ByteBuffer.allocate(SpdyFrame.STREAM_ID + compressed.length);
        payload.putInt(id).put(compressed);
        return control(SpdyFrame.HEADERS, end ? SpdyFrame.FIN : 0, payload.array());
    }

    /** The head of a GET. */
    SpdyWire get(int id, String path) {
        return request(id, true, line("GET", path));
    }

    /** The head of a request with a body. */
    SpdyWire post(int id, String path) {
        return request(id, false, line("POST", path));
    }

    /** The fields that replace the request line, the scheme last, and other fields. */
    static String[] line(String method, String path, String... fields) {
        String[] line = {":method", method, ":path", path, ":version", "HTTP/1.1", ":host", "a.test", ":scheme", "http"
        };
        String[] all = Arrays.copyOf(line, line.length + fields.length);
        System.arraycopy(fields, 0, all, line.length, fields.length);
        return all;
    }

    byte[] toArray() {
        return out.toByteArray();
    }

    /** The octets that were added since the last call. */
    byte[] take() {
        byte[] bytes = out.toByteArray();
        out.reset();
        return bytes;
    }

    /** Names and values, uncompressed. */
    static byte[] block(String... fields) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(block);
        try {
            to.writeInt(fields.length / 2);
            for (String field : fields) {
                byte[] bytes = field.getBytes(StandardCharsets.ISO_8859_1);
                to.writeInt(bytes.length);
                to.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return block.toByteArray();
    }

    byte[] compress(byte[] block) {
        deflater.setInput(block);
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        byte[] part = new byte[4096];
        int length = deflater.deflate(part, 0, part.length, Deflater.SYNC_FLUSH);
        while (length > 0) {
            compressed.write(part, 0, length);
            length = length < part.length ? 0 : deflater.deflate(part, 0, part.length, Deflater.SYNC_FLUSH);
        }
        return compressed.toByteArray();
    }
}
