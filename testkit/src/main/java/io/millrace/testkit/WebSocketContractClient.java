package io.millrace.testkit;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** A WebSocket client that sends any frames, valid or not, over any link. Not thread-safe. */
public final class WebSocketContractClient {

    /** Bit of the first octet: the last frame of a message. */
    public static final int FIN = 0x80;

    /** Bit of the first octet: the message is compressed. */
    public static final int RSV1 = 0x40;

    /** Opcodes of RFC 6455, 5.2. */
    public static final int CONTINUATION = 0;

    public static final int TEXT = 1;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;

    private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

    private final ContractLink link;
    private final Random random = new Random(6455);
    private byte[] received = new byte[0];

    /**
     * A frame of the server.
     *
     * @param flags the first octet
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Frame(int flags, byte[] payload) {

        public int opcode() {
            return flags & 0xf;
        }

        public boolean isFinal() {
            return (flags & FIN) != 0;
        }

        public String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        /** The code of a close frame; 1005 if it has none. */
        public int code() {
            return payload.length == 0 ? 1005 : ByteBuffer.wrap(payload).getShort();
        }

        /** Decompresses the message, without context takeover. */
        public byte[] inflated() throws DataFormatException {
            Inflater inflater = new Inflater(true);
            byte[] all = Arrays.copyOf(payload, payload.length + TAIL.length);
            System.arraycopy(TAIL, 0, all, payload.length, TAIL.length);
            inflater.setInput(all);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] step = new byte[8192];
            for (int length = inflater.inflate(step); length > 0; length = inflater.inflate(step)) {
                out.write(step, 0, length);
            }
            inflater.end();
            return out.toByteArray();
        }
    }

    /** A client on a new link. */
    public WebSocketContractClient(ContractLink link) {
        this.link = link;
    }

    /** Sends a handshake; returns the head of the response. */
    public String ask(String path, String... fields) throws IOException {
        StringBuilder head = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n"
                + "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");
        for (String field : fields) {
            head.append(field).append("\r\n");
        }
        return request(head.append("\r\n").toString());
    }

    /** Sends a complete request; returns the head of the response. */
    public String request(String request) throws IOException {
        link.send(request.getBytes(StandardCharsets.ISO_8859_1));
        int end;
        do {
            fill(received.length + 1);
            end = new String(received, StandardCharsets.ISO_8859_1).indexOf("\r\n\r\n");
        } while (end < 0);
        return new String(take(end + 4), StandardCharsets.ISO_8859_1);
    }

    /** Sends raw octets. */
    public void raw(byte... bytes) throws IOException {
        link.send(bytes);
    }

    /** Sends a masked frame. */
    public void send(int flags, byte[] payload) throws IOException {
        link.send(frame(flags, payload));
    }

    /** Sends a text message in one frame. */
    public void text(String message) throws IOException {
        send(FIN | TEXT, message.getBytes(StandardCharsets.UTF_8));
    }

    /** Encodes a masked frame. */
    public byte[] frame(int flags, byte[] payload) {
        byte[] mask = new byte[4];
        random.nextBytes(mask);
        ByteBuffer frame = ByteBuffer.allocate(payload.length + 14).put((byte) flags);
        if (payload.length < 126) {
            frame.put((byte) (0x80 | payload.length));
        } else if (payload.length <= 0xffff) {
            frame.put((byte) 0xfe).putShort((short) payload.length);
        } else {
            frame.put((byte) 0xff).putLong(payload.length);
        }
        frame.put(mask);
        for (int i = 0; i < payload.length; i++) {
            frame.put((byte) (payload[i] ^ mask[i % 4]));
        }
        return Arrays.copyOf(frame.array(), frame.position());
    }

    /** Sends a close frame with this code. */
    public void close(int code) throws IOException {
        send(FIN | CLOSE, ByteBuffer.allocate(2).putShort((short) code).array());
    }

    /** Compresses a message, without context takeover. */
    public static byte[] deflated(byte[] message) {
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        deflater.setInput(message);
        byte[] out = new byte[message.length + 64];
        int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
        deflater.end();
        return Arrays.copyOf(out, length - TAIL.length);
    }

    /** Receives the next frame of the server. */
    public Frame receive() throws IOException {
        fill(2);
        int flags = received[0] & 0xff;
        int length = received[1] & 0xff;
        if ((length & 0x80) != 0) {
            throw new IOException("the server has masked a frame");
        }
        int head = length < 126 ? 2 : length == 126 ? 4 : 10;
        fill(head);
        long size = length < 126
                ? length
                : length == 126
                        ? ByteBuffer.wrap(received).getShort(2) & 0xffff
                        : ByteBuffer.wrap(received).getLong(2);
        fill(head + (int) size);
        take(head);
        return new Frame(flags, take((int) size));
    }

    /** Waits for the end of the connection; fails on other input. */
    public void awaitEnd() throws IOException {
        byte[] more = received.length > 0 ? received : link.receive();
        if (more.length > 0) {
            throw new IOException(
                    "the server sent " + more.length + " octets instead of its end: " + Arrays.toString(more));
        }
    }

    /** Disconnects abruptly. */
    public void breakOff() throws IOException {
        link.breakOff();
    }

    /** Ends the output (half-close). */
    public void finish() throws IOException {
        link.finish();
    }

    /** Checks that the server holds no buffer. */
    public void checkNothingHeld() throws Exception {
        link.checkNothingHeld();
    }

    private void fill(int length) throws IOException {
        while (received.length < length) {
            byte[] more = link.receive();
            if (more.length == 0) {
                throw new EOFException(
                        "the server ended the connection; received before: " + Arrays.toString(received));
            }
            byte[] all = Arrays.copyOf(received, received.length + more.length);
            System.arraycopy(more, 0, all, received.length, more.length);
            received = all;
        }
    }

    private byte[] take(int length) {
        byte[] taken = Arrays.copyOf(received, length);
        received = Arrays.copyOfRange(received, length, received.length);
        return taken;
    }
}
