package io.millrace.connector.ajp;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one packet's payload in order. Every length is checked before it is used. */
final class PacketFields {

    private final byte[] payload;
    private int at;

    PacketFields(byte[] payload) {
        this.payload = payload;
    }

    boolean isAtEnd() {
        return at == payload.length;
    }

    int octet() throws BadPacketException {
        if (at >= payload.length) {
            throw new BadPacketException(Defect.CUT_OFF);
        }
        return payload[at++] & 0xff;
    }

    /** A number of two octets. */
    int number() throws BadPacketException {
        return octet() << 8 | octet();
    }

    /** A string in ISO 8859-1, which may be null. */
    @Nullable
    String text() throws BadPacketException {
        return text(number());
    }

    /** The same, empty if it is null. */
    String textOrEmpty() throws BadPacketException {
        String text = text();
        return text == null ? "" : text;
    }

    /** A string whose length was read before: its octets and a zero. */
    @Nullable
    String text(int length) throws BadPacketException {
        if (length == Codes.NO_STRING) {
            return null;
        }
        int end = at + length;
        if (end >= payload.length || payload[end] != 0) {
            throw new BadPacketException(Defect.STRING);
        }
        String text = new String(payload, at, length, StandardCharsets.ISO_8859_1);
        if (text.indexOf(0) >= 0) {
            throw new BadPacketException(Defect.STRING);
        }
        at = end + 1;
        return text;
    }
}
