package io.millrace.connector.ajp;

import io.millrace.http.FieldSyntax;
import java.nio.ByteBuffer;

/**
 * Writes a SEND_HEADERS packet. Fields whose name is not a token are omitted, and invalid characters of values are replaced, which
 * prevents response splitting.
 */
final class ResponseEncoder {

    private final PacketWriter packet;
    private final int countAt;
    private int count;

    /**
     * Begins a packet.
     *
     * @param expected its approximate length
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

    /** The length of the packet so far. */
    int size() {
        return packet.size();
    }

    /** Completes the packet. */
    ByteBuffer end() {
        packet.put(countAt, count);
        return packet.end(Codes.FROM_SERVER);
    }
}
