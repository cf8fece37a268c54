package io.millrace.connector.ajp;

import io.millrace.http.FieldSyntax;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Writes a packet field by field. Not thread-safe. */
final class PacketWriter {

    private static final int LENGTH_AT = 2;

    private byte[] out;
    private int length = Codes.PREFIX;

    /**
     * An empty packet.
     *
     * @param expected its approximate length
     */
    PacketWriter(int expected) {
        out = new byte[expected + Codes.PREFIX];
    }

    /** The length of the packet so far. */
    int size() {
        return length;
    }

    PacketWriter octet(int value) {
        makeRoom(1);
        out[length++] = (byte) value;
        return this;
    }

    /** Writes two octets. */
    PacketWriter number(int value) {
        makeRoom(2);
        put(length, value);
        length += 2;
        return this;
    }

    /** Overwrites two octets at a position. */
    void put(int at, int value) {
        out[at] = (byte) (value >> 8);
        out[at + 1] = (byte) value;
    }

    /** Writes one line. Octets that are not permitted in a field value become spaces, characters beyond ISO 8859-1 question marks. */
    PacketWriter text(String text) {
        return text(text, false);
    }

    /** The same for several lines, whose line ends are kept. */
    PacketWriter lines(String text) {
        return text(text, true);
    }

    private PacketWriter text(String text, boolean lines) {
        int size = text.length();
        number(size);
        makeRoom(size + 1);
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            boolean kept = FieldSyntax.isValueChar(c) || lines && (c == '\n' || c == '\r');
            out[length++] = (byte) (c > 0xff ? '?' : kept ? c : ' ');
        }
        out[length++] = 0;
        return this;
    }

    /** Writes a null string. */
    PacketWriter noText() {
        return number(Codes.NO_STRING);
    }

    /** Completes the packet, with the prefix of one side. */
    ByteBuffer end(int side) {
        put(0, side);
        put(LENGTH_AT, length - Codes.PREFIX);
        return ByteBuffer.wrap(out, 0, length);
    }

    private void makeRoom(int more) {
        if (length + more > out.length) {
            out = Arrays.copyOf(out, Math.max(2 * out.length, length + more));
        }
    }
}
