package io.millrace.connector.ajp;

import io.millrace.http.FieldSyntax;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes a SEND_HEADERS packet. Whatever an application puts into a value, it stays one value: octets that a value must not
 * hold become spaces, characters beyond ISO 8859-1 question marks, and a field whose name is no token is left out.
 */
final class ResponseEncoder {

    private static final int LENGTH_AT = 2;

    private final int countAt;
    private byte[] out;
    private int length = Codes.PREFIX;
    private int count;

    /**
     * A packet.
     *
     * @param expected how long it will be, about
     */
    ResponseEncoder(int expected, int status, String reason) {
        out = new byte[expected + Codes.PREFIX];
        octet(Codes.SEND_HEADERS);
        number(status);
        text(reason);
        countAt = length;
        number(0);
    }

    void field(String name, String value) {
        if (!FieldSyntax.isToken(name)) {
            return;
        }
        int code = Codes.responseField(name);
        if (code > 0) {
            number(code);
        } else {
            text(name);
        }
        text(value);
        count++;
    }

    /** The octets of the packet so far. */
    int size() {
        return length;
    }

    /** The packet. */
    ByteBuffer end() {
        put(0, Codes.FROM_SERVER);
        put(LENGTH_AT, length - Codes.PREFIX);
        put(countAt, count);
        return ByteBuffer.wrap(out, 0, length);
    }

    private void text(String text) {
        int size = text.length();
        number(size);
        makeRoom(size + 1);
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            out[length++] = (byte) (c > 0xff ? '?' : FieldSyntax.isValueChar(c) ? c : ' ');
        }
        out[length++] = 0;
    }

    private void octet(int value) {
        makeRoom(1);
        out[length++] = (byte) value;
    }

    private void number(int value) {
        makeRoom(2);
        put(length, value);
        length += 2;
    }

    private void put(int at, int value) {
        out[at] = (byte) (value >> 8);
        out[at + 1] = (byte) value;
    }

    private void makeRoom(int more) {
        if (length + more > out.length) {
            out = Arrays.copyOf(out, Math.max(2 * out.length, length + more));
        }
    }
}
