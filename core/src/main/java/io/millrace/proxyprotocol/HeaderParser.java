package io.millrace.proxyprotocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An incremental parser of a connection's header, which consumes no byte behind it. Not thread-safe.
 */
final class HeaderParser {

    /** The maximum length of a header of version 1, with its line end (proxy-protocol.txt, 2.1). */
    static final int MOST_LINE = 107;

    /**
     * The maximum length of a header of version 2 after its first sixteen bytes. The protocol permits 64 KiB, but addresses take at
     * most 216 bytes, and this is sufficient for complete client certificates.
     */
    static final int MOST_BLOCK = 8 * 1024;

    static final int FIXED_LENGTH = 16;

    private static final byte[] VERSION_1 = "PROXY ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VERSION_2 = "\r\n\r\n\0\r\nQUIT\n".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = new byte[MOST_LINE];
    private int length;
    private int whole = FIXED_LENGTH;
    private HeaderState state = HeaderState.START;
    private String defect = "";

    /** Consumes bytes that belong, or may belong, to the header. Returns the new state. */
    HeaderState take(ByteBuffer input) {
        while (state.isOpen() && input.hasRemaining()) {
            append(input.get());
            switch (state) {
                case START -> detectVersion();
                case LINE -> endLine();
                case FIXED, BLOCK -> endBlock();
                default -> throw new IllegalStateException("a byte was consumed in state " + state);
            }
        }
        return state;
    }

    /**
     * The header, once it is complete.
     *
     * @throws BadHeaderException if it is malformed
     */
    ProxyHeader header() throws BadHeaderException {
        if (state != HeaderState.COMPLETE) {
            throw new IllegalStateException("there is no header in state " + state);
        }
        return bytes[0] == VERSION_1[0] ? LineHeader.parse(taken()) : BlockHeader.parse(taken());
    }

    /** All bytes consumed so far. */
    byte[] taken() {
        return Arrays.copyOf(bytes, length);
    }

    /** The number of bytes consumed so far. */
    int length() {
        return length;
    }

    /** The reason for the refusal. */
    String defect() {
        return defect;
    }

    private void append(byte next) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(2 * length, FIXED_LENGTH + MOST_BLOCK));
        }
        bytes[length++] = next;
    }

    private void detectVersion() {
        byte[] candidate = bytes[0] == VERSION_1[0] ? VERSION_1 : VERSION_2;
        if (bytes[length - 1] != candidate[length - 1]) {
            move(HeaderState.Event.SOMETHING_ELSE);
        } else if (length == candidate.length) {
            move(candidate.length == VERSION_1.length ? HeaderState.Event.VERSION_1 : HeaderState.Event.VERSION_2);
        }
    }

    private void endLine() {
        boolean afterReturn = bytes[length - 2] == '\r';
        boolean lineFeed = bytes[length - 1] == '\n';
        if (afterReturn && lineFeed) {
            move(HeaderState.Event.WHOLE);
        } else if (afterReturn || lineFeed) {
            refuse("its line does not end with carriage return and line feed");
        } else if (length == MOST_LINE) {
            refuse("its line is longer than " + MOST_LINE + " bytes");
        }
    }

    private void endBlock() {
        if (length == whole && state == HeaderState.BLOCK) {
            move(HeaderState.Event.WHOLE);
        } else if (length == FIXED_LENGTH) {
            announce((bytes[FIXED_LENGTH - 2] & 0xff) << Byte.SIZE | bytes[FIXED_LENGTH - 1] & 0xff);
        }
    }

    private void announce(int following) {
        if (following > MOST_BLOCK) {
            refuse("it announces " + following + " bytes; expected at most " + MOST_BLOCK);
            return;
        }
        whole = FIXED_LENGTH + following;
        move(following == 0 ? HeaderState.Event.WHOLE : HeaderState.Event.LENGTH);
    }

    private void refuse(String why) {
        defect = why;
        move(HeaderState.Event.BAD);
    }

    private void move(HeaderState.Event event) {
        HeaderState next = HeaderState.next(state, event);
        if (next == null) {
            throw new IllegalStateException(event + " in " + state);
        }
        state = next;
    }
}
