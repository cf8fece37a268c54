package io.millrace.connector.ajp;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Assembles a packet from input in pieces of any size. It exists only while a packet is incomplete, so that an idle connection
 * has none, and allocates memory only after it has read a valid length.
 */
final class PacketReader {

    private final PacketPrefix prefix;
    private final long begun = System.nanoTime();
    private byte @Nullable [] payload;
    private int length;

    /**
     * A reader for one packet of a front end.
     *
     * @param packetSize the largest packet in octets, including the prefix
     */
    PacketReader(int packetSize) {
        prefix = new PacketPrefix(Codes.TO_SERVER, Defect.MAGIC, packetSize);
    }

    /** Reads more of the packet. Returns the payload once it is complete; null if all input was read before that. */
    byte @Nullable [] read(ByteBuffer in) throws BadPacketException {
        if (!prefix.read(in)) {
            return null;
        }
        byte[] all = payload;
        if (all == null) {
            all = new byte[prefix.length()];
            payload = all;
        }
        int step = Math.min(in.remaining(), all.length - length);
        in.get(all, length, step);
        length += step;
        return length == all.length ? all : null;
    }

    /** Whether any of it has been read. */
    boolean isBegun() {
        return prefix.isBegun();
    }

    /** Nanoseconds since its first octets arrived. */
    long age() {
        return System.nanoTime() - begun;
    }
}
