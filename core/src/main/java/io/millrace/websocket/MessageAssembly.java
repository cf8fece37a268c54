package io.millrace.websocket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Assembles messages from frames (RFC 6455, 5.4, 5.6): decompresses them, and checks UTF-8 and limits. Holds memory only
 * within a message or control frame, and only as much as has arrived of it.
 *
 * <p>Confined to the connection's reader.
 */
final class MessageAssembly implements WebSocketFrameSink {

    /** The length at which a part of a compressed message is delivered, in bytes. */
    private static final int PART = 8192;

    /**
     * The number of compressed bytes read at a time for a message in parts. They may expand a thousandfold, and no size limit
     * applies to such messages: the reader must check in between whether the listener keeps up.
     */
    private static final int COMPRESSED_STEP = 512;

    private static final int FIRST_ROOM = 1024;

    /** The bytes beyond its limit that a compressed message may have on the wire, for stored blocks and flushes. */
    private static final int WIRE_SLACK = 1024;

    private final MessageSink sink;
    private final @Nullable MessageInflater inflater;

    // state of the frame
    private Opcode frame = Opcode.CONTINUATION;
    private boolean isFinal;
    private long frameLeft;

    // state of the message; null between messages
    private @Nullable Opcode message;
    private boolean compressed;
    private boolean parts;
    private int frames;
    private int limit;
    private long wire;
    private int utf8;

    /** The part of the message that is assembled but not delivered yet. */
    private byte @Nullable [] buffer;

    private int length;

    private byte @Nullable [] control;
    private int controlLength;

    MessageAssembly(MessageSink sink, @Nullable MessageInflater inflater) {
        this.sink = sink;
        this.inflater = inflater;
    }

    @Override
    public void begin(Opcode opcode, boolean last, boolean rsv1, long size) throws WebSocketException {
        frame = opcode;
        frameLeft = size;
        if (opcode.isControl()) {
            control = new byte[(int) size];
            controlLength = 0;
            return;
        }
        isFinal = last;
        if (opcode == Opcode.CONTINUATION) {
            if (message == null) {
                throw wrong("a continuation frame is outside of a message (RFC 6455, 5.4)");
            }
        } else if (message != null) {
            throw wrong("a message begins within another message (RFC 6455, 5.4)");
        } else {
            beginMessage(opcode, rsv1);
        }
        checkLimits(size);
    }

    private void beginMessage(Opcode opcode, boolean rsv1) {
        WebSocketOptions options = sink.options();
        boolean text = opcode == Opcode.TEXT;
        parts = sink.takesParts(text);
        limit = text ? options.get(WebSocketOptions.MAX_TEXT_SIZE) : options.get(WebSocketOptions.MAX_BINARY_SIZE);
        message = opcode;
        compressed = rsv1;
        frames = 0;
        wire = 0;
        length = 0;
        utf8 = Utf8Check.COMPLETE;
    }

    private void checkLimits(long size) throws WebSocketException {
        frames++;
        if (frames > sink.options().get(WebSocketOptions.MAX_FRAMES)) {
            throw new WebSocketException(
                    CloseStatus.POLICY,
                    "a message has more than " + sink.options().get(WebSocketOptions.MAX_FRAMES)
                            + " frames; the option is " + WebSocketOptions.MAX_FRAMES.name());
        }
        if (parts) {
            return;
        }
        long most = compressed ? limit + (long) limit / 8 + WIRE_SLACK : limit;
        if (size > most - wire) {
            throw tooBig();
        }
        wire += size;
    }

    private WebSocketException tooBig() {
        boolean text = message == Opcode.TEXT;
        return new WebSocketException(
                CloseStatus.TOO_BIG,
                "a " + (text ? "text" : "binary") + " message is longer than " + limit + " bytes; the option is "
                        + (text ? WebSocketOptions.MAX_TEXT_SIZE : WebSocketOptions.MAX_BINARY_SIZE).name());
    }

    @Override
    public int mostPayload() {
        return compressed && parts ? COMPRESSED_STEP : Integer.MAX_VALUE;
    }

    @Override
    public void payload(ByteBuffer in, int mask, int position) throws WebSocketException {
        int size = in.remaining();
        boolean wholeFrame = size == frameLeft && controlLength == 0;
        frameLeft -= size;
        byte[] controlPayload = control;
        if (controlPayload != null) {
            Masking.move(in, controlPayload, controlLength, size, mask, position);
            controlLength += size;
        } else if (compressed) {
            byte[] arrived = new byte[size];
            Masking.move(in, arrived, 0, size, mask, position);
            inflater().input(arrived, size);
            inflate();
        } else {
            byte[] to = room(size, wholeFrame && isFinal ? size : (int) Math.min(limit, size + frameLeft));
            Masking.move(in, to, length, size, mask, position);
            append(to, size);
            if (parts && frameLeft > 0) {
                deliverPart(false);
            }
        }
    }

    /** The buffer, enlarged if it has less room than {@code more}. A new one has the preferred size, if that is not much larger. */
    private byte[] room(int more, int preferred) {
        byte[] current = buffer;
        if (current == null) {
            current = new byte[Math.max(more, Math.min(preferred, PART))];
        } else if (current.length - length < more) {
            current = Arrays.copyOf(current, Math.max(length + more, (int)
                    Math.min(2L * current.length, Integer.MAX_VALUE - 8)));
        }
        buffer = current;
        return current;
    }

    /** Accounts for bytes that were appended to the buffer, and checks that text is UTF-8. */
    private void append(byte[] to, int size) throws WebSocketException {
        if (message == Opcode.TEXT) {
            utf8 = Utf8Check.check(to, length, length + size, utf8);
            if (utf8 == Utf8Check.WRONG) {
                throw notUtf8();
            }
        }
        length += size;
    }

    private void inflate() throws WebSocketException {
        int got;
        int room;
        do {
            byte[] to = room(1, FIRST_ROOM);
            room = to.length - length;
            got = inflater().inflate(to, length, room);
            append(to, got);
            if (!parts && length > limit) {
                throw tooBig();
            }
            if (parts && length >= PART) {
                deliverPart(false);
            }
        } while (got == room);
    }

    private MessageInflater inflater() {
        MessageInflater agreed = inflater;
        if (agreed == null) {
            throw new IllegalStateException("a compressed frame without permessage-deflate");
        }
        return agreed;
    }

    @Override
    public void end() throws WebSocketException {
        byte[] controlPayload = control;
        if (controlPayload != null) {
            control = null;
            controlLength = 0;
            endControl(controlPayload);
        } else if (isFinal) {
            endMessage();
        } else if (parts) {
            deliverPart(false);
        }
    }

    private void endMessage() throws WebSocketException {
        if (compressed) {
            inflater().inputTail();
            inflate();
            inflater().endMessage();
        }
        if (utf8 != Utf8Check.COMPLETE) {
            throw notUtf8();
        }
        if (parts) {
            deliverPart(true);
        } else {
            deliver(length, true, true);
        }
        message = null;
        buffer = null;
        length = 0;
    }

    /** Delivers the buffer, except for an incomplete character at its end. */
    private void deliverPart(boolean last) {
        byte[] all = buffer;
        if (all == null) {
            if (last) {
                deliver(0, false, true);
            }
            return;
        }
        int left = Utf8Check.incomplete(all, length, utf8);
        int complete = length - left;
        if (complete > 0 || last) {
            deliver(complete, false, last);
            buffer = left == 0 ? null : Arrays.copyOfRange(all, complete, length);
            length = left;
        }
    }

    private void deliver(int size, boolean whole, boolean last) {
        byte[] all = buffer == null ? new byte[0] : buffer;
        if (message == Opcode.TEXT) {
            sink.text(new String(all, 0, size, StandardCharsets.UTF_8), whole, last);
        } else {
            sink.binary(ByteBuffer.wrap(all, 0, size).slice(), whole, last);
        }
    }

    private void endControl(byte[] payload) throws WebSocketException {
        switch (frame) {
            case PING -> sink.pinged(ByteBuffer.wrap(payload));
            case PONG -> sink.ponged(ByteBuffer.wrap(payload));
            default -> sink.closeReceived(closeStatus(payload));
        }
    }

    /** RFC 6455, 5.5.1. */
    private static CloseStatus closeStatus(byte[] payload) throws WebSocketException {
        if (payload.length == 0) {
            return CloseStatus.NO_CODE;
        }
        if (payload.length == 1) {
            throw wrong("the payload of a close frame has one byte, which is too short for a code (RFC 6455, 5.5.1)");
        }
        int code = (payload[0] & 0xff) << 8 | payload[1] & 0xff;
        if (!CloseStatus.isSendable(code)) {
            throw wrong("a close frame has the code " + code + " (RFC 6455, 7.4)");
        }
        if (Utf8Check.check(payload, Short.BYTES, payload.length, Utf8Check.COMPLETE) != Utf8Check.COMPLETE) {
            throw notUtf8();
        }
        String reason = new String(payload, Short.BYTES, payload.length - Short.BYTES, StandardCharsets.UTF_8);
        return new CloseStatus(code, reason);
    }

    /** Reading has stopped: returns the decompressor to its pool. */
    void close() {
        if (inflater != null) {
            inflater.close();
        }
        buffer = null;
    }

    private static WebSocketException wrong(String message) {
        return new WebSocketException(CloseStatus.PROTOCOL_ERROR, message);
    }

    private static WebSocketException notUtf8() {
        return new WebSocketException(CloseStatus.NOT_UTF_8, "a text message is not valid UTF-8 (RFC 6455, 8.1)");
    }
}
