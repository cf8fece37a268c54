package io.millrace.tls.layer;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Scans the first bytes of a connection for a complete ClientHello, which may extend over several records. The bytes are not
 * consumed: the engine reads them afterwards. Each byte is scanned once, however slowly they arrive.
 */
final class HelloReader {

    /** The result of scanning. */
    enum Found {
        /** More input is needed. */
        MORE,
        /** A ClientHello: {@link #hello}. */
        HELLO,
        /** An HTTP request without TLS. */
        PLAIN_HTTP,
        /** Another protocol, or an SSL 2 hello. */
        NOT_TLS,
        /** A malformed ClientHello. */
        MALFORMED,
        /** More than {@link #MOST} bytes. */
        TOO_LARGE
    }

    /**
     * The maximum size, with the headers of its records. Browsers send 500 to 2,000 bytes; several post-quantum keys and many
     * tickets take more. The JDK's engine accepts messages up to this size.
     */
    static final int MOST = 32 * 1024;

    private static final int RECORD_HEAD = 5;
    private static final int MESSAGE_HEAD = 4;
    private static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int MAX_CONTENT = 16 * 1024;

    /** The maximum length of an HTTP method. */
    private static final int LONGEST_METHOD = 16;

    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private int next;
    private int leftOfRecord;
    private int expected = -1;
    private @Nullable ClientHello hello;

    /** Scans the input received since the last call. */
    Found scan(CipherInput input) {
        int available = input.available();
        if (available > 0 && input.at(0) != HANDSHAKE) {
            return noTls(input, available);
        }
        while (next < available) {
            if (leftOfRecord > 0) {
                message.write(input.at(next++));
                leftOfRecord--;
                if (message.size() == MESSAGE_HEAD && !begins()) {
                    return expected < 0 ? Found.MALFORMED : Found.TOO_LARGE;
                }
                if (message.size() == expected) {
                    return parse();
                }
            } else if (available - next < RECORD_HEAD) {
                break;
            } else if (!record(input)) {
                return Found.MALFORMED;
            }
        }
        return available >= MOST ? Found.TOO_LARGE : Found.MORE;
    }

    /** After {@link Found#HELLO}. */
    ClientHello hello() {
        if (hello == null) {
            throw new IllegalStateException("no ClientHello was found");
        }
        return hello;
    }

    private boolean record(CipherInput input) {
        leftOfRecord = unsigned(input, next + 3) << 8 | unsigned(input, next + 4);
        boolean valid = input.at(next) == HANDSHAKE
                && input.at(next + 1) == 3
                && leftOfRecord > 0 // empty handshake records are forbidden (RFC 8446, 5.1)
                && leftOfRecord <= MAX_CONTENT;
        next += RECORD_HEAD;
        return valid;
    }

    private boolean begins() {
        ByteBuffer head = ByteBuffer.wrap(message.toByteArray());
        if (head.get(0) != CLIENT_HELLO) {
            return false;
        }
        expected = MESSAGE_HEAD + (head.getInt() & 0xffffff);
        return expected <= MOST;
    }

    private Found parse() {
        byte[] all = message.toByteArray();
        hello = ClientHello.parse(
                ByteBuffer.wrap(all, MESSAGE_HEAD, all.length - MESSAGE_HEAD).slice());
        return hello == null ? Found.MALFORMED : Found.HELLO;
    }

    /** Plain HTTP begins with a method, capital letters, and a space. */
    private static Found noTls(CipherInput input, int available) {
        for (int i = 0; i < LONGEST_METHOD; i++) {
            if (i == available) {
                return Found.MORE;
            }
            byte c = input.at(i);
            if (c < 'A' || c > 'Z') {
                return c == ' ' && i > 0 ? Found.PLAIN_HTTP : Found.NOT_TLS;
            }
        }
        return Found.NOT_TLS;
    }

    private static int unsigned(CipherInput input, int index) {
        return input.at(index) & 0xff;
    }
}
