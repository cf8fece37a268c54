package io.millrace.websocket;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses messages step by step (RFC 7692, 7.2.2): what a few octets expand to is counted as it comes. With context
 * takeover it keeps its decompressor from the first message to {@link #close}; otherwise only within a message.
 *
 * <p>Confined to whoever reads the connection; closed by the same.
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

    /** The next compressed octets; those before have been inflated. */
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

    /** The octets that a sender leaves out at the end of a message. */
    void inputTail() {
        input(TAIL, TAIL.length);
    }

    /**
     * Decompresses as far as there is room.
     *
     * @return how many octets; fewer than there is room: more input is needed
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
                    CloseStatus.NOT_UTF_8, "a compressed message can't be decompressed: " + malformed.getMessage());
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
