package io.millrace.proxyprotocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Collects the header's bytes, whatever pieces they come in, and never takes one that follows it. For one connection, and
 * one thread at a time.
 */
final class HeaderParser {

    /** Of version 1, with its line end (proxy-protocol.txt, 2.1). */
    static final int MOST_LINE = 107;

    /**
     * What version 2 may say after its first sixteen bytes. It could announce 64 KiB; addresses take 216 bytes at most, and
     * a front end that passes on whole client certificates gets by with this.
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

    /** Takes what belongs to the header, or to what might become one; tells how far it is. */
    HeaderState take(ByteBuffer input) {
        while (state.isOpen() && input.hasRemaining()) {
            append(input.get());
            switch (state) {
                case START -> recognise();
                case LINE -> endLine();
                case FIXED, BLOCK -> endBlock();
                default -> throw new IllegalStateException("a byte was taken in " + state);
            }
        }
        return state;
    }

    /**
     * The header, once it is complete.
     *
     * @throws BadHeaderException if it breaks the rules of its version
     */
    ProxyHeader header() throws BadHeaderException {
        if (state != HeaderState.COMPLETE) {
            throw new IllegalStateException("there is no header in " + state);
        }
        return bytes[0] == VERSION_1[0] ? LineHeader.parse(taken()) : BlockHeader.parse(taken());
    }

    /** All bytes taken so far. */
    byte[] taken() {
        return Arrays.copyOf(bytes, length);
    }

    /** How many that are. */
    int length() {
        return length;
    }

    /** Why it was refused. */
    String defect() {
        return defect;
    }

    private void append(byte next) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(2 * length, FIXED_LENGTH + MOST_BLOCK));
        }
        bytes[length++] = next;
    }

    private void recognise() {
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
            refuse("its line ends with one of carriage return and line feed, not with both");
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
            refuse("it announces " + following + " bytes; at most " + MOST_BLOCK + " are taken");
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
