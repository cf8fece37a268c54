package io.millrace.connector.ajp;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Puts a packet together from input in pieces of any size. Exists only while there is one, so an idle connection has none;
 * and takes no memory before a length was seen that is allowed.
 */
final class PacketReader {

    private final PacketPrefix prefix;
    private final long begun = System.nanoTime();
    private byte @Nullable [] payload;
    private int length;

    /**
     * A reader of one packet of a front end.
     *
     * @param packetSize octets of a packet, prefix included
     */
    PacketReader(int packetSize) {
        prefix = new PacketPrefix(Codes.TO_SERVER, Defect.MAGIC, packetSize);
    }

    /** Takes more of it. The payload once it is whole, with the input behind it; null if all was taken and it is not. */
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

    /** Has any of it come? */
    boolean isBegun() {
        return prefix.isBegun();
    }

    /** Nanoseconds since the first of it came. */
    long age() {
        return System.nanoTime() - begun;
    }
}
