package io.millrace.connector.ajp;

import io.millrace.http.FieldSyntax;
import java.nio.ByteBuffer;

/**
 * Writes a SEND_HEADERS packet. Whatever an application puts into a value, it stays one value, and a field whose name is no token
 * is left out.
 */
final class ResponseEncoder {

    private final PacketWriter packet;
    private final int countAt;
    private int count;

    /**
     * A packet.
     *
     * @param expected how long it will be, about
     */
    ResponseEncoder(int expected, int status, String reason) {
        packet = new PacketWriter(expected)
                .octet(Codes.SEND_HEADERS)
                .number(status)
                .text(reason);
        countAt = packet.size();
        packet.number(0);
    }

    void field(String name, String value) {
        if (!FieldSyntax.isToken(name)) {
            return;
        }
        int code = Codes.codeOfResponseField(name);
        if (code > 0) {
            packet.number(code);
        } else {
            packet.text(name);
        }
        packet.text(value);
        count++;
    }

    /** The octets of the packet so far. */
    int size() {
        return packet.size();
    }

    /** The packet. */
    ByteBuffer end() {
        packet.put(countAt, count);
        return packet.end(Codes.FROM_SERVER);
    }
}
