package io.millrace.websocket;

import java.nio.ByteBuffer;

/**
 * An incremental parser of frames (RFC 6455, 5.2). Buffers the head of a frame but no payload; an invalid byte is
 * reported as soon as it arrives.
 *
 * <pre>
 * step            0      1                 2 … 9               10 … 13   14
 * reads           flags  mask, length      longer length       mask      payload
 * </pre>
 */
final class WebSocketFrameReader {

    private static final int FLAGS = 0;
    private static final int LENGTH = 1;
    private static final int LONGER_LENGTH = 2;
    private static final int MASK = 10;
    private static final int PAYLOAD = 14;

    private static final int FIN = 0x80;
    private static final int RSV1 = 0x40;
    private static final int OTHER_RESERVED = 0x30;
    private static final int MASKED = 0x80;

    /** The maximum length of a control frame's payload, in bytes (RFC 6455, 5.5). */
    static final int MAX_CONTROL = 125;

    private static final int LENGTH_16 = 126;
    private static final int LENGTH_64 = 127;

    private final boolean masked;
    private final boolean deflate;
    private byte step;
    private byte flags;

    /** The 7 bits of the second byte. */
    private byte shortLength;

    private int mask;
    private int position;
    private long remaining;

    /**
     * A parser for one direction of a connection.
     *
     * @param role of the reading end: a server receives masked frames
     * @param deflate whether permessage-deflate is negotiated, so that RSV1 may be set
     */
    WebSocketFrameReader(WebSocketRole role, boolean deflate) {
        masked = role == WebSocketRole.SERVER;
        this.deflate = deflate;
    }

    /**
     * Reads until a frame is complete, the input is empty, or the sink has received {@linkplain WebSocketFrameSink#mostPayload the most
     * that it takes at a time}. Input may remain in any case.
     *
     * @return true if a frame was completed
     * @throws WebSocketException if the peer violates the protocol; nothing can be read after that
     */
    boolean read(ByteBuffer in, WebSocketFrameSink sink) throws WebSocketException {
        while (step != PAYLOAD) {
            if (!in.hasRemaining()) {
                return false;
            }
            readHead(in.get() & 0xff);
            if (step == PAYLOAD) {
                beginPayload(sink);
            }
        }
        if (remaining > 0 && in.hasRemaining()) {
            readPayload(in, sink);
        }
        if (remaining > 0) {
            return false;
        }
        step = FLAGS;
        sink.end();
        return true;
    }

    private void readHead(int value) throws WebSocketException {
        if (step == FLAGS) {
            readFlags(value);
        } else if (step == LENGTH) {
            readLength(value);
        } else if (step < MASK) {
            remaining = remaining << 8 | value;
            step++;
            if (step == MASK) {
                checkLength();
            }
        } else {
            mask = mask << 8 | value;
            step++;
        }
    }

    private void readFlags(int value) throws WebSocketException {
        Opcode opcode = Opcode.of(value & 0xf);
        if (opcode == null) {
            throw wrong("the opcode " + (value & 0xf) + " is reserved (RFC 6455, 5.2)");
        }
        boolean mayBeCompressed = deflate && !opcode.isControl() && opcode != Opcode.CONTINUATION;
        if ((value & OTHER_RESERVED) != 0 || (value & RSV1) != 0 && !mayBeCompressed) {
            throw wrong("a reserved bit is set (RFC 6455, 5.2)");
        }
        if (opcode.isControl() && (value & FIN) == 0) {
            throw wrong("a control frame is fragmented (RFC 6455, 5.5)");
        }
        flags = (byte) value;
        step = LENGTH;
    }

    private void readLength(int value) throws WebSocketException {
        if ((value & MASKED) != 0 != masked) {
            throw wrong(
                    masked
                            ? "a client's frame is not masked (RFC 6455, 5.1)"
                            : "a server's frame is masked (RFC 6455, 5.1)");
        }
        shortLength = (byte) (value & 0x7f);
        if (opcode().isControl() && shortLength > MAX_CONTROL) {
            throw wrong("a control frame is longer than 125 bytes (RFC 6455, 5.5)");
        }
        remaining = shortLength < LENGTH_16 ? shortLength : 0;
        step = (byte)
                switch (shortLength) {
                    case LENGTH_64 -> LONGER_LENGTH;
                    case LENGTH_16 -> LONGER_LENGTH + 6;
                    default -> afterLength();
                };
    }

    private void checkLength() throws WebSocketException {
        long least = shortLength == LENGTH_16 ? LENGTH_16 : 0x1_0000;
        if (remaining < least) { // also if the highest bit is set, which makes it negative
            throw wrong("a frame's length is not in its shortest form, or has more than 63 bits (RFC 6455, 5.2)");
        }
        step = (byte) afterLength();
    }

    private int afterLength() {
        mask = 0;
        return masked ? MASK : PAYLOAD;
    }

    private void beginPayload(WebSocketFrameSink sink) throws WebSocketException {
        position = 0;
        sink.begin(opcode(), (flags & FIN) != 0, (flags & RSV1) != 0, remaining);
    }

    private void readPayload(ByteBuffer in, WebSocketFrameSink sink) throws WebSocketException {
        int length = (int) Math.min(remaining, Math.min(in.remaining(), sink.mostPayload()));
        int limit = in.limit();
        in.limit(in.position() + length);
        try {
            sink.payload(in, mask, position);
        } finally {
            in.limit(limit);
        }
        position = (position + length) & 3;
        remaining -= length;
    }

    @SuppressWarnings("NullAway") // checked when the flags were read
    private Opcode opcode() {
        return Opcode.of(flags & 0xf);
    }

    private static WebSocketException wrong(String message) {
        return new WebSocketException(CloseStatus.PROTOCOL_ERROR, message);
    }
}
