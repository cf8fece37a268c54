package bench.websocket;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Counts the messages in what a server sends, without keeping any of it. */
final class Frames {

    private static final int CLOSE = 8;

    private int headLength;
    private long head;
    private long extended;
    private long left;

    /** Takes all of the buffer; returns how many messages have ended in it. */
    int count(ByteBuffer in) throws IOException {
        int messages = 0;
        while (in.hasRemaining()) {
            if (headLength == 0 && left == 0 || headLength > 0) {
                readHead(in);
                if (headLength > 0) {
                    return messages;
                }
            }
            int step = (int) Math.min(left, in.remaining());
            in.position(in.position() + step);
            left -= step;
            if (left == 0 && head >> 15 == 1 && opcode() <= 2) {
                messages++;
            }
        }
        return messages;
    }

    private int opcode() {
        return (int) (head >> 8) & 0xf;
    }

    /** Leaves headLength at zero when the head is complete. */
    private void readHead(ByteBuffer in) throws IOException {
        while (in.hasRemaining()) {
            int octet = in.get() & 0xff;
            if (headLength < 2) {
                head = (headLength == 0 ? 0 : head) << 8 | octet;
                extended = 0;
            } else {
                extended = extended << 8 | octet;
            }
            headLength++;
            int length = (int) head & 0x7f;
            if (headLength == 2 && length < 126 || headLength == 4 && length == 126 || headLength == 10) {
                left = length < 126 ? length : extended;
                headLength = 0;
                if (opcode() == CLOSE) {
                    throw new IOException("the server sent a close frame");
                }
                return;
            }
        }
    }
}
