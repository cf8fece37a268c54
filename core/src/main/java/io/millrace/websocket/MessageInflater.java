package io.millrace.websocket;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses messages incrementally (RFC 7692, 7.2.2), so that the caller can limit what a few bytes expand to. With context
 * takeover it holds a decompressor from the first message to {@link #close}, otherwise only during a message.
 *
 * <p>Confined to the connection's reader, which also closes it.
 */
final class MessageInflater {

    private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

    private final boolean takeover;
    private @Nullable Inflater inflater;
    private byte[] input = TAIL;
    private int inputEnd;

    MessageInflater(boolean takeover) {
        this.takeover = takeover;
    }

    /** Sets the next compressed bytes; the previous ones have been inflated. */
    void input(byte[] bytes, int length) {
        Inflater used = inflater;
        if (used == null) {
            used = ZlibPool.INFLATERS.take();
            inflater = used;
        }
        input = bytes;
        inputEnd = length;
        used.setInput(bytes, 0, length);
    }

    /** Sets the bytes that a sender omits at the end of a message. */
    void inputTail() {
        input(TAIL, TAIL.length);
    }

    /**
     * Decompresses as far as there is room.
     *
     * @return the number of bytes; if less than the room, more input is needed
     */
    int inflate(byte[] to, int at, int room) throws WebSocketException {
        Inflater used = inflater;
        if (used == null) {
            return 0;
        }
        try {
            int length = used.inflate(to, at, room);
            while (length < room && used.finished()) {
                int rest = used.getRemaining();
                used.reset(); // a final block; others may follow (RFC 7692, 7.2.3.5)
                if (rest == 0) {
                    break;
                }
                used.setInput(input, inputEnd - rest, rest);
                length += used.inflate(to, at + length, room - length);
            }
            return length;
        } catch (DataFormatException malformed) {
            throw new WebSocketException(
                    CloseStatus.NOT_UTF_8, "a compressed message is malformed: " + malformed.getMessage());
        }
    }

    /** The message has ended. */
    void endMessage() {
        input = TAIL;
        if (!takeover) {
            close();
        }
    }

    void close() {
        Inflater used = inflater;
        inflater = null;
        if (used != null) {
            ZlibPool.INFLATERS.giveBack(used);
        }
    }
}
