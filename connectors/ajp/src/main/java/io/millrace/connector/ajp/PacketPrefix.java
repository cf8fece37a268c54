package io.millrace.connector.ajp;

import java.nio.ByteBuffer;

/** The first four octets of a packet: which side sends it, and its length. Read in pieces of any size. */
final class PacketPrefix {

    private final int side;
    private final Defect otherSide;
    private final int maxLength;
    private int bytes;
    private int count;

    /**
     * A prefix of which nothing has been read.
     *
     * @param side {@link Codes#TO_SERVER} or {@link Codes#FROM_SERVER}
     * @param otherSide the defect if it begins otherwise
     * @param packetSize the largest packet in octets, including the prefix
     */
    PacketPrefix(int side, Defect otherSide, int packetSize) {
        this.side = side;
        this.otherSide = otherSide;
        maxLength = packetSize - Codes.PREFIX;
    }

    /** Reads more of it; true once it is complete. */
    boolean read(ByteBuffer in) throws BadPacketException {
        while (count < Codes.PREFIX) {
            if (!in.hasRemaining()) {
                return false;
            }
            bytes = bytes << 8 | in.get() & 0xff;
            count++;
            check();
        }
        return true;
    }

    /** Checks each octet at once: a peer with another protocol may never send more. */
    private void check() throws BadPacketException {
        if (count <= 2 && bytes != side >> 8 * (2 - count)) {
            throw new BadPacketException(otherSide);
        }
        if (count == Codes.PREFIX && length() > maxLength) {
            throw new BadPacketException(Defect.TOO_LONG);
        }
    }

    /** Whether any of it has been read. */
    boolean isBegun() {
        return count > 0;
    }

    /** The number of octets after the prefix. */
    int length() {
        return bytes & 0xffff;
    }

    /** Prepares for the next packet. */
    void next() {
        bytes = 0;
        count = 0;
    }
}
