package io.millrace.connector.ajp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A server's packets in the notation of tests: {@code [HEAD 200][BODY hello][END 1]}. */
final class PacketNames {

    private PacketNames() {}

    static String of(byte[] bytes) {
        StringBuilder names = new StringBuilder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        while (in.hasRemaining()) {
            if (in.getShort() != Codes.FROM_SERVER) {
                throw new AssertionError("a packet that does not begin with AB");
            }
            int size = in.getShort() & 0xffff;
            names.append('[').append(name(in.slice(in.position(), size))).append(']');
            in.position(in.position() + size);
        }
        return names.toString();
    }

    private static String name(ByteBuffer payload) {
        return switch (payload.get()) {
            case Codes.SEND_HEADERS -> "HEAD " + payload.getShort();
            case Codes.SEND_BODY_CHUNK -> chunk(payload);
            case Codes.END_RESPONSE -> "END " + payload.get();
            case Codes.GET_BODY_CHUNK -> "GET " + (payload.getShort() & 0xffff);
            case Codes.CPONG -> "CPONG";
            default -> "?";
        };
    }

    private static String chunk(ByteBuffer payload) {
        byte[] data = new byte[payload.getShort() & 0xffff];
        payload.get(data);
        if (payload.get() != 0 || payload.hasRemaining()) {
            throw new AssertionError("data that do not end as they should");
        }
        return data.length == 0 ? "FLUSH" : "BODY " + new String(data, StandardCharsets.ISO_8859_1);
    }
}
