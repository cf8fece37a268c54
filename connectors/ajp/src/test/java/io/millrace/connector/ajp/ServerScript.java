package io.millrace.connector.ajp;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The output of a server, packet by packet. */
final class ServerScript {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** A head with fields, each {@code Name: value}. */
    ServerScript head(int status, String... fields) {
        ResponseEncoder encoder = new ResponseEncoder(100, status, "");
        for (String field : fields) {
            int colon = field.indexOf(':');
            encoder.field(field.substring(0, colon), field.substring(colon + 2));
        }
        return packet(encoder.end());
    }

    ServerScript body(String data) {
        ByteBuffer packet = ByteBuffer.allocate(data.length() + ServerPackets.CHUNK_OVERHEAD);
        ServerPackets.chunkHead(packet, data.length());
        packet.put(data.getBytes(StandardCharsets.ISO_8859_1)).put(ServerPackets.CHUNK_END);
        return packet(packet.flip());
    }

    ServerScript flush() {
        return packet(ServerPackets.flush());
    }

    ServerScript end(boolean reuse) {
        return packet(ServerPackets.end(reuse));
    }

    ServerScript ask(int most) {
        return packet(ByteBuffer.wrap(ServerPackets.getBodyChunk(most)));
    }

    ServerScript pong() {
        return packet(ByteBuffer.wrap(ServerPackets.cpong()));
    }

    /** Octets of a packet's payload, valid or not. */
    ServerScript raw(int... payload) {
        ByteBuffer packet = ByteBuffer.allocate(Codes.PREFIX + payload.length)
                .putShort((short) Codes.FROM_SERVER)
                .putShort((short) payload.length);
        for (int octet : payload) {
            packet.put((byte) octet);
        }
        return packet(packet.flip());
    }

    private ServerScript packet(ByteBuffer packet) {
        byte[] bytes = new byte[packet.remaining()];
        packet.get(bytes);
        out.writeBytes(bytes);
        return this;
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
