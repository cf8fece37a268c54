package io.millrace.connector.ajp;

import io.millrace.io.Chunk;
import io.millrace.protocol.serial.Input;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a server's packets from input in pieces of any size. Data of the body are passed on in the connection's chunks, as they
 * arrive; other packets are assembled first. An idle connection has no instance. Confined to the reader.
 */
final class ResponsePackets {

    /** The octets of a SEND_BODY_CHUNK between prefix and data: its type, and the length of the data. */
    private static final int CHUNK_HEAD = 3;

    private final Input input;
    private final PacketPrefix prefix;
    private final byte[] chunkHead = new byte[CHUNK_HEAD];
    private byte @Nullable [] payload;
    private int filled;

    /** Octets of data left in a SEND_BODY_CHUNK whose head has been read. */
    private int dataLeft;

    private int padding;
    private boolean inChunk;
    private boolean ended;

    /**
     * A packet, or a part of a SEND_BODY_CHUNK.
     *
     * @param fields the fields after its type; empty for SEND_BODY_CHUNK
     * @param data the data of a SEND_BODY_CHUNK, which the caller owns; null if it has none
     */
    record Packet(int type, PacketFields fields, @Nullable Chunk data) {}

    /**
     * Creates a reader for the packets of one response.
     *
     * @param packetSize the largest packet in octets, including the prefix
     */
    ResponsePackets(Input input, int packetSize) {
        this.input = input;
        prefix = new PacketPrefix(Codes.FROM_SERVER, Defect.NO_SERVER, packetSize);
    }

    /** The next packet; null if none is available, or the input has ended. */
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

    /** The next packet, if it has no data and is in the input already; otherwise null. */
    @Nullable
    Packet following() throws IOException {
        Packet packet = null;
        while (packet == null && dataLeft == 0 && input.hasUnread()) {
            Chunk chunk = input.next();
            packet = chunk == null ? null : take(chunk, false);
        }
        return packet;
    }

    /** Whether the server has ended its output. */
    boolean isEnded() {
        return ended;
    }

    /** Whether a packet is incomplete. */
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

    /** Skips the zero octet after data. */
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

    /** Not all servers send the zero octet after the data. */
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
