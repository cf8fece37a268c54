package io.millrace.connector.ajp;

import java.nio.ByteBuffer;

/** The short packets that a client sends. */
final class ClientPackets {

    private static final byte[] CPING = {0x12, 0x34, 0, 1, Codes.CPING};

    /** The end of a body: a packet without data. */
    private static final byte[] BODY_END = {0x12, 0x34, 0, 0};

    private ClientPackets() {}

    /** Must not be modified. */
    static byte[] cping() {
        return CPING;
    }

    static ByteBuffer bodyEnd() {
        return ByteBuffer.wrap(BODY_END);
    }

    /** The octets before this number of octets of a body. */
    static ByteBuffer bodyHead(int size) {
        return ByteBuffer.allocate(AjpBody.OVERHEAD)
                .putShort((short) Codes.TO_SERVER)
                .putShort((short) (size + 2))
                .putShort((short) size)
                .flip();
    }
}
