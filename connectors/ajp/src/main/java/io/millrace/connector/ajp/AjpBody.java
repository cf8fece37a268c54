package io.millrace.connector.ajp;

import io.millrace.http.Status;
import io.millrace.io.Chunk;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.serial.Input;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A request's body, read from packets: the data follow {@code 0x12 0x34}, the packet's length and the length of the data. The
 * front end sends the first packet without a request if a length was announced, and the others on request; an empty one is the
 * end. Data are passed on in the connection's chunks, as they arrive. Confined to the exchange's owner.
 */
final class AjpBody {

    /** The octets before the data: the packet's prefix and the length of the data. */
    static final int OVERHEAD = Codes.PREFIX + 2;

    private final Input input;
    private final int maxData;

    /** Octets announced and not read yet; -1 if none were announced. */
    private long left;

    /** Whether a packet is expected or arriving. */
    private boolean expected;

    private boolean begun;
    private boolean exhausted;
    private long prefix;
    private int prefixLength;
    private int dataLeft;

    /**
     * A body that has not been read.
     *
     * @param announced its length; -1 if unknown
     */
    AjpBody(Input input, int packetSize, long announced) {
        this.input = input;
        maxData = packetSize - OVERHEAD;
        left = announced;
        expected = announced > 0;
        exhausted = announced == 0;
    }

    boolean isExhausted() {
        return exhausted;
    }

    /** Whether a packet is expected or arriving, which must be read before the next request. */
    boolean isExpected() {
        return expected;
    }

    /** Whether there may be a body to read: data are left of an announced length, or were requested. */
    boolean isBegun() {
        return begun || left > 0;
    }

    /** Whether a packet has begun to arrive: its rest cannot be delayed by the client. */
    boolean isArriving() {
        return prefixLength > 0;
    }

    /** Whether the caller must request the next packet, which is expected from then on. */
    boolean expectMore() {
        boolean more = !expected && !exhausted;
        begun |= more;
        expected |= more;
        return more;
    }

    /** The number of octets to request. */
    int requestSize() {
        return left < 0 ? maxData : (int) Math.min(maxData, left);
    }

    /**
     * Returns the next bytes; {@link Chunk#END} after the last; null if none are available.
     *
     * @throws BadPacketException if it is malformed
     * @throws ProtocolException if it ends before its announced length
     */
    @Nullable
    Chunk read() throws IOException {
        while (!exhausted && expected) {
            Chunk chunk = input.nextOfBody();
            if (chunk == null) {
                return null;
            }
            if (chunk.isEnd()) {
                throw new IOException("the front end closed its connection within the request's body");
            }
            Chunk data = take(chunk);
            if (data != null) {
                return data;
            }
        }
        return exhausted ? Chunk.END : null;
    }

    /** Discards the expected packet. False if it is incomplete. */
    boolean skip() throws IOException {
        while (expected) {
            Chunk chunk = read();
            if (chunk == null) {
                return false;
            }
            chunk.release();
        }
        return true;
    }

    private @Nullable Chunk take(Chunk chunk) throws IOException {
        boolean whole;
        try {
            whole = dataLeft > 0 || readPrefix(chunk.bytes());
        } catch (IOException malformed) {
            chunk.release();
            throw malformed;
        }
        if (whole && dataLeft > 0 && chunk.bytes().hasRemaining()) {
            return takeData(chunk);
        }
        input.keep(chunk);
        return null;
    }

    private Chunk takeData(Chunk chunk) throws IOException {
        Chunk data = chunk.bytes().remaining() > dataLeft ? input.split(chunk, dataLeft) : chunk;
        int size = data.bytes().remaining();
        dataLeft -= size;
        left -= left < 0 ? 0 : size;
        if (dataLeft == 0) {
            packetEnded(left == 0);
        }
        return data;
    }

    /** Reads the octets before the data. True once they are complete: data follow, or the body has ended. */
    private boolean readPrefix(ByteBuffer in) throws IOException {
        while (in.hasRemaining()) {
            prefix = prefix << 8 | in.get() & 0xff;
            prefixLength++;
            if (prefixLength == Codes.PREFIX && checkPacket((int) prefix) == 0) {
                end();
                return true;
            }
            if (prefixLength == OVERHEAD) {
                beginData();
                return true;
            }
        }
        return false;
    }

    /** Checks the packet's prefix, and returns its length. */
    private int checkPacket(int prefix) throws BadPacketException {
        if (prefix >>> 16 != Codes.TO_SERVER) {
            throw new BadPacketException(Defect.MAGIC);
        }
        int length = prefix & 0xffff;
        if (length > maxData + 2) {
            throw new BadPacketException(Defect.TOO_LONG);
        }
        if (length == 1) {
            throw new BadPacketException(Defect.BODY_LENGTH);
        }
        return length;
    }

    private void beginData() throws IOException {
        int packet = (int) (prefix >>> 16) & 0xffff;
        int data = (int) prefix & 0xffff;
        if (data != packet - 2) {
            throw new BadPacketException(Defect.BODY_LENGTH);
        }
        if (left >= 0 && data > left) {
            throw new BadPacketException(Defect.BODY_TOO_LONG);
        }
        dataLeft = data;
        if (data == 0) {
            end();
        }
    }

    private void end() throws ProtocolException {
        packetEnded(true);
        if (left > 0) {
            throw new ProtocolException(
                    Status.BAD_REQUEST, "The request's body ended " + left + " bytes before its announced length");
        }
    }

    private void packetEnded(boolean last) {
        expected = false;
        exhausted = last;
        prefix = 0;
        prefixLength = 0;
    }
}
