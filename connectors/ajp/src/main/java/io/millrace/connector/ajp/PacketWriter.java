package io.millrace.connector.ajp;

import io.millrace.http.FieldSyntax;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Puts a packet together, field by field. For one thread. */
final class PacketWriter {

    private static final int LENGTH_AT = 2;

    private byte[] out;
    private int length = Codes.PREFIX;

    /**
     * An empty packet.
     *
     * @param expected how long it will be, about
     */
    PacketWriter(int expected) {
        out = new byte[expected + Codes.PREFIX];
    }

    /** The octets of the packet so far. */
    int size() {
        return length;
    }

    PacketWriter octet(int value) {
        makeRoom(1);
        out[length++] = (byte) value;
        return this;
    }

    /** Two octets. */
    PacketWriter number(int value) {
        makeRoom(2);
        put(length, value);
        length += 2;
        return this;
    }

    /** Writes two octets over those from here on. */
    void put(int at, int value) {
        out[at] = (byte) (value >> 8);
        out[at + 1] = (byte) value;
    }

    /** One line: octets that a field's value must not hold become spaces, characters beyond ISO 8859-1 question marks. */
    PacketWriter text(String text) {
        return text(text, false);
    }

    /** The same of several lines, whose ends stay. */
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

    /** There is no text. */
    PacketWriter noText() {
        return number(Codes.NO_STRING);
    }

    /** The packet, as one side sends it. */
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
