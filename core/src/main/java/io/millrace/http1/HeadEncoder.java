package io.millrace.http1;

import io.millrace.http.Headers;
import io.millrace.http.Status;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the head of a message. Applications cannot split a message (header injection): in a value, forbidden octets become
 * spaces, and characters outside ISO 8859-1 question marks; a field whose name is not a token is omitted.
 */
final class HeadEncoder {

    private static final int STATUSES = 600;
    private static final byte[] VERSION = Octets.ascii("HTTP/1.1 ");
    private static final byte[] END_OF_LINE = Octets.ascii("\r\n");
    private static final byte[] SPACE = Octets.ascii(" ");
    private static final byte[] END_OF_REQUEST_LINE = Octets.ascii(" HTTP/1.1\r\n");
    private static final byte[] CONTENT_LENGTH = Octets.ascii("Content-Length: ");
    private static final byte[][] STATUS_LINES = new byte[STATUSES][];
    private static final byte[] VALUE = new byte[256];
    private static final int MAX_DIGITS = 20;

    static {
        for (int status = 100; status < STATUSES; status++) {
            STATUS_LINES[status] = Octets.ascii("HTTP/1.1 " + status + " " + Status.reason(status) + "\r\n");
        }
        for (int c = 0; c < 256; c++) {
            VALUE[c] = Octets.FIELD_VALUE[c] ? (byte) c : (byte) ' ';
        }
    }

    private byte[] out;
    private int length;

    /**
     * An encoder.
     *
     * @param expected the approximate length of the head
     */
    HeadEncoder(int expected) {
        out = new byte[expected];
    }

    /** The encoded length of these fields. */
    static int size(Headers headers) {
        return headers.characters() + 4 * headers.size();
    }

    void statusLine(int status, @Nullable String reason) {
        if (status < 100 || status > 999) {
            throw new IllegalArgumentException("the status is " + status + "; expected three digits");
        }
        if (reason == null && status < STATUSES) {
            octets(STATUS_LINES[status]);
            return;
        }
        octets(VERSION);
        number(status);
        makeRoom(1);
        out[length++] = ' ';
        value(reason == null ? "" : reason);
        octets(END_OF_LINE);
    }

    /** Writes a request line. The caller has validated the parts: a token, and visible ASCII characters. */
    void requestLine(String method, String target) {
        value(method);
        octets(SPACE);
        value(target);
        octets(END_OF_REQUEST_LINE);
    }

    void field(String name, String value) {
        int start = length;
        makeRoom(name.length() + 2);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c > 0xff || Octets.TOKEN_LOWER[c] == 0) {
                length = start;
                return;
            }
            out[length++] = (byte) c;
        }
        if (length == start) {
            return;
        }
        out[length++] = ':';
        out[length++] = ' ';
        value(value);
        octets(END_OF_LINE);
    }

    void contentLength(long value) {
        octets(CONTENT_LENGTH);
        number(value);
        octets(END_OF_LINE);
    }

    /** Writes encoded octets: complete lines. */
    void octets(byte[] octets) {
        makeRoom(octets.length);
        System.arraycopy(octets, 0, out, length, octets.length);
        length += octets.length;
    }

    /** Writes the empty line. Returns the complete head. */
    ByteBuffer end() {
        octets(END_OF_LINE);
        return ByteBuffer.wrap(out, 0, length);
    }

    private void value(String text) {
        int size = text.length();
        makeRoom(size);
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            out[length + i] = c > 0xff ? (byte) '?' : VALUE[c];
        }
        length += size;
    }

    private void number(long value) {
        makeRoom(MAX_DIGITS);
        int digits = 1;
        for (long rest = value; rest >= 10; rest /= 10) {
            digits++;
        }
        long rest = value;
        for (int i = length + digits - 1; i >= length; i--) {
            out[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
    }

    private void makeRoom(int more) {
        if (length + more > out.length) {
            out = Arrays.copyOf(out, Math.max(2 * out.length, length + more));
        }
    }
}
