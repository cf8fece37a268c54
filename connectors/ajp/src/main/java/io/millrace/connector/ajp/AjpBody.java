package io.millrace.connector.ajp;

import io.millrace.http.Status;
import io.millrace.io.Chunk;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.serial.Input;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A request's body, read out of packets: octets before data are {@code 0x12 0x34}, the packet's length, the data's length. The
 * front end sends the first by itself if a length was announced, and each other when it is asked for it; an empty one is the
 * end. Data are passed on out of the connection's own chunks, as they come. For the exchange's owner.
 */
final class AjpBody {

    /** Before the data: the packet's prefix and the length of the data. */
    static final int OVERHEAD = Codes.PREFIX + 2;

    private final Input input;
    private final int mostData;

    /** Announced and not read; -1: not announced. */
    private long left;

    /** Is a packet on its way, or arriving? */
    private boolean coming;

    private boolean begun;
    private boolean exhausted;
    private long prefix;
    private int prefixLength;
    private int dataLeft;

    /**
     * A body.
     *
     * @param announced its length; -1 unknown
     */
    AjpBody(Input input, int packetSize, long announced) {
        this.input = input;
        mostData = packetSize - OVERHEAD;
        left = announced;
        coming = announced > 0;
        exhausted = announced == 0;
    }

    boolean isExhausted() {
        return exhausted;
    }

    /** Is a packet on its way that must be read, by whomever? */
    boolean isComing() {
        return coming;
    }

    /** Is there one, as far as that is known, and did anybody care for it? */
    boolean isBegun() {
        return begun || left > 0;
    }

    /** Did it begin to arrive? Then the rest is not the client's to delay. */
    boolean isArriving() {
        return prefixLength > 0;
    }

    /** Is the front end to be asked for more? The caller does, and a packet is on its way then. */
    boolean askForMore() {
        boolean ask = !coming && !exhausted;
        begun |= ask;
        coming |= ask;
        return ask;
    }

    /** How many octets to ask for. */
    int wanted() {
        return left < 0 ? mostData : (int) Math.min(mostData, left);
    }

    /**
     * The next bytes; {@link Chunk#END} after the last; null if there is nothing now.
     *
     * @throws BadPacketException if it is malformed
     * @throws ProtocolException if it ends before its announced length
     */
    @Nullable
    Chunk read() throws IOException {
        while (!exhausted && coming) {
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

    /** Drops the packet on its way. False: more of it has to come. */
    boolean swallow() throws IOException {
        while (coming) {
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
        } catch (IOException wrong) {
            chunk.release();
            throw wrong;
        }
        if (whole && dataLeft > 0 && chunk.bytes().hasRemaining()) {
            return takeData(chunk);
        }
        input.keep(chunk);
        return null;
    }

    private Chunk takeData(Chunk chunk) throws IOException {
        Chunk mine = chunk.bytes().remaining() > dataLeft ? input.split(chunk, dataLeft) : chunk;
        int size = mine.bytes().remaining();
        dataLeft -= size;
        left -= left < 0 ? 0 : size;
        if (dataLeft == 0) {
            packetEnded(left == 0);
        }
        return mine;
    }

    /** True once it is whole: then dataLeft data follow, or there was none and the body has ended. */
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

    /** The packet's length. */
    private int checkPacket(int prefix) throws BadPacketException {
        if (prefix >>> 16 != Codes.TO_SERVER) {
            throw new BadPacketException(Defect.MAGIC);
        }
        int length = prefix & 0xffff;
        if (length > mostData + 2) {
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
        coming = false;
        exhausted = last;
        prefix = 0;
        prefixLength = 0;
    }
}
