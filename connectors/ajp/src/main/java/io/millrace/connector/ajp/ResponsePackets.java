package io.millrace.connector.ajp;

import io.millrace.io.Chunk;
import io.millrace.protocol.serial.Input;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A server's packets, out of the connection's input in pieces of any size. Data of the body are passed on out of the connection's
 * own chunks, as they come; other packets are put together first. An idle connection has none of these. For whoever reads.
 */
final class ResponsePackets {

    /** Behind a packet's length, of SEND_BODY_CHUNK: its type, and the length of the data. */
    private static final int CHUNK_HEAD = 3;

    private final Input input;
    private final PacketPrefix prefix;
    private final byte[] chunkHead = new byte[CHUNK_HEAD];
    private byte @Nullable [] payload;
    private int filled;

    /** Of a SEND_BODY_CHUNK whose head is whole. */
    private int dataLeft;

    private int padding;
    private boolean inChunk;
    private boolean ended;

    /**
     * One packet, or a part of one.
     *
     * @param fields what follows its type; nothing in SEND_BODY_CHUNK
     * @param data of SEND_BODY_CHUNK, which the caller owns; null if it has none
     */
    record Packet(int type, PacketFields fields, @Nullable Chunk data) {}

    /**
     * None yet.
     *
     * @param packetSize octets of a packet, prefix included
     */
    ResponsePackets(Input input, int packetSize) {
        this.input = input;
        prefix = new PacketPrefix(Codes.FROM_SERVER, Defect.NO_SERVER, packetSize);
    }

    /** The next one; null if there is nothing now, or if there will be none. */
    @Nullable
    Packet next() throws IOException {
        Packet packet = null;
        while (packet == null) {
            Chunk chunk = input.next();
            if (chunk == null || chunk.isEnd()) {
                ended = chunk != null;
                return null;
            }
            packet = take(chunk, true);
        }
        return packet;
    }

    /** The next one, if that is not of data and was read already. */
    @Nullable
    Packet following() throws IOException {
        Packet packet = null;
        while (packet == null && dataLeft == 0 && input.hasUnread()) {
            Chunk chunk = input.next();
            packet = chunk == null ? null : take(chunk, false);
        }
        return packet;
    }

    /** Has the server ended its output? */
    boolean isEnded() {
        return ended;
    }

    /** Has a part of one come, the rest of which has not? */
    boolean isBegun() {
        return prefix.isBegun();
    }

    private @Nullable Packet take(Chunk chunk, boolean withData) throws IOException {
        Packet packet = null;
        try {
            ByteBuffer in = chunk.bytes();
            skipPadding(in);
            if (!inChunk && prefix.read(in)) {
                packet = fill(in);
            }
        } catch (BadPacketException bad) {
            chunk.release();
            throw bad;
        }
        if (packet == null && dataLeft > 0 && withData && chunk.bytes().hasRemaining()) {
            return data(chunk);
        }
        input.keep(chunk);
        return packet;
    }

    /** The zero octet behind data. */
    private void skipPadding(ByteBuffer in) throws BadPacketException {
        if (inChunk && dataLeft == 0 && padding > 0 && in.hasRemaining()) {
            if (in.get() != 0) {
                throw new BadPacketException(Defect.CHUNK_LENGTH);
            }
            padding = 0;
        }
        if (inChunk && dataLeft == 0 && padding == 0) {
            end();
        }
    }

    private void end() {
        inChunk = false;
        filled = 0;
        payload = null;
        prefix.next();
    }

    private @Nullable Packet fill(ByteBuffer in) throws BadPacketException {
        if (prefix.length() == 0) {
            throw new BadPacketException(Defect.NO_TYPE);
        }
        while (filled == 0 || filled < CHUNK_HEAD && chunkHead[0] == Codes.SEND_BODY_CHUNK) {
            if (!in.hasRemaining()) {
                return null;
            }
            chunkHead[filled++] = in.get();
        }
        return chunkHead[0] == Codes.SEND_BODY_CHUNK ? beginChunk() : fillPayload(in);
    }

    /** Not all servers send the zero octet behind the data. */
    private @Nullable Packet beginChunk() throws BadPacketException {
        int size = (chunkHead[1] & 0xff) << 8 | chunkHead[2] & 0xff;
        padding = prefix.length() - CHUNK_HEAD - size;
        if (padding != 0 && padding != 1) {
            throw new BadPacketException(Defect.CHUNK_LENGTH);
        }
        dataLeft = size;
        inChunk = true;
        return size > 0 ? null : new Packet(Codes.SEND_BODY_CHUNK, new PacketFields(new byte[0]), null);
    }

    private @Nullable Packet fillPayload(ByteBuffer in) {
        byte[] all = payload;
        if (all == null) {
            all = new byte[prefix.length() - 1];
            payload = all;
        }
        int step = Math.min(in.remaining(), all.length - (filled - 1));
        in.get(all, filled - 1, step);
        filled += step;
        if (filled - 1 < all.length) {
            return null;
        }
        Packet packet = new Packet(chunkHead[0], new PacketFields(all), null);
        end();
        return packet;
    }

    private Packet data(Chunk chunk) throws IOException {
        Chunk data = chunk.bytes().remaining() > dataLeft ? input.split(chunk, dataLeft) : chunk;
        dataLeft -= data.bytes().remaining();
        return new Packet(Codes.SEND_BODY_CHUNK, new PacketFields(new byte[0]), data);
    }
}
