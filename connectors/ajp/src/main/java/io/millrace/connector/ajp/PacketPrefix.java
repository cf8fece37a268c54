package io.millrace.connector.ajp;

import java.nio.ByteBuffer;

/** The four octets that a packet begins with: which side sends it, and how long it is. Read in pieces of any size. */
final class PacketPrefix {

    private final int side;
    private final Defect otherSide;
    private final int longest;
    private int octets;
    private int count;

    /**
     * Nothing of it has come.
     *
     * @param side {@link Codes#TO_SERVER} or {@link Codes#FROM_SERVER}
     * @param otherSide what it is if it begins otherwise
     * @param packetSize octets of a packet, prefix included
     */
    PacketPrefix(int side, Defect otherSide, int packetSize) {
        this.side = side;
        this.otherSide = otherSide;
        longest = packetSize - Codes.PREFIX;
    }

    /** Takes more of it; true once it is whole. */
    boolean read(ByteBuffer in) throws BadPacketException {
        while (count < Codes.PREFIX) {
            if (!in.hasRemaining()) {
                return false;
            }
            octets = octets << 8 | in.get() & 0xff;
            count++;
            check();
        }
        return true;
    }

    /** As soon as it is wrong: whoever speaks another protocol may never send more. */
    private void check() throws BadPacketException {
        if (count <= 2 && octets != side >> 8 * (2 - count)) {
            throw new BadPacketException(otherSide);
        }
        if (count == Codes.PREFIX && length() > longest) {
            throw new BadPacketException(Defect.TOO_LONG);
        }
    }

    /** Has any of it come? */
    boolean isBegun() {
        return count > 0;
    }

    /** Octets that follow it. */
    int length() {
        return octets & 0xffff;
    }

    /** Another packet comes. */
    void next() {
        octets = 0;
        count = 0;
    }
}
