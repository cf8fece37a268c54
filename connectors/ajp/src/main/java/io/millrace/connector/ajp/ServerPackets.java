package io.millrace.connector.ajp;

import io.millrace.http.Headers;
import io.millrace.http.Status;
import io.millrace.protocol.RequestFault;
import java.nio.ByteBuffer;

/** The short packets to the front end, which are constant except for a number. */
final class ServerPackets {

    /** The octets of a SEND_BODY_CHUNK before the data: prefix, type, length of the data. */
    private static final int CHUNK_HEAD = 7;

    /** The octet after the data. */
    static final byte CHUNK_END = 0;

    /** The octets before and after the data. */
    static final int CHUNK_OVERHEAD = CHUNK_HEAD + 1;

    private static final int REFUSAL = 256;

    /** END_RESPONSE, after which the front end may send another request. */
    private static final byte[] END_AND_REUSE = {'A', 'B', 0, 2, Codes.END_RESPONSE, 1};

    private static final byte[] END_AND_CLOSE = {'A', 'B', 0, 2, Codes.END_RESPONSE, 0};

    private static final byte[] CPONG = {'A', 'B', 0, 1, Codes.CPONG};

    /** A SEND_BODY_CHUNK without data, which makes the front end flush its output to the client. */
    private static final byte[] FLUSH = {'A', 'B', 0, 4, Codes.SEND_BODY_CHUNK, 0, 0, 0};

    private ServerPackets() {}

    /**
     * The head of an error response without a body.
     *
     * @param more fields that it has besides
     */
    static ByteBuffer refusal(RequestFault why, Headers more) {
        ResponseEncoder encoder = new ResponseEncoder(REFUSAL, why.status(), Status.reason(why.status()));
        encoder.field("Content-Length", "0");
        for (int i = 0; i < more.size(); i++) {
            encoder.field(more.name(i), more.value(i));
        }
        return encoder.end();
    }

    static ByteBuffer end(boolean reuse) {
        return ByteBuffer.wrap(reuse ? END_AND_REUSE : END_AND_CLOSE);
    }

    /** Must not be modified. */
    static byte[] cpong() {
        return CPONG;
    }

    static ByteBuffer flush() {
        return ByteBuffer.wrap(FLUSH);
    }

    static byte[] getBodyChunk(int size) {
        return new byte[] {'A', 'B', 0, 3, Codes.GET_BODY_CHUNK, (byte) (size >> 8), (byte) size};
    }

    /** Writes the head of a SEND_BODY_CHUNK with this much data, after which {@link #CHUNK_END} must follow. */
    static void chunkHead(ByteBuffer to, int size) {
        to.putShort((short) Codes.FROM_SERVER);
        to.putShort((short) (size + CHUNK_OVERHEAD - Codes.PREFIX));
        to.put((byte) Codes.SEND_BODY_CHUNK);
        to.putShort((short) size);
    }
}
