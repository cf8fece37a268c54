package io.millrace.connector.ajp;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Puts a packet together from input in pieces of any size. Exists only while there is one, so an idle connection has none;
 * and takes no memory before a length was seen that is allowed.
 */
final class PacketReader {

    private final int longest;
    private final long begun = System.nanoTime();
    private int prefix;
    private int prefixLength;
    private byte @Nullable [] payload;
    private int length;

    /**
     * A reader of one packet.
     *
     * @param packetSize octets of a packet, prefix included
     */
    PacketReader(int packetSize) {
        longest = packetSize - Codes.PREFIX;
    }

    /** Takes more of it. The payload once it is whole, with the input behind it; null if all was taken and it is not. */
    byte @Nullable [] read(ByteBuffer in) throws BadPacketException {
        while (prefixLength < Codes.PREFIX) {
            if (!in.hasRemaining()) {
                return null;
            }
            prefix = prefix << 8 | in.get() & 0xff;
            prefixLength++;
            checkPrefix();
        }
        return fill(in);
    }

    /** Has any of it come? */
    boolean isBegun() {
        return prefixLength > 0;
    }

    /** Nanoseconds since the first of it came. */
    long age() {
        return System.nanoTime() - begun;
    }

    /** As soon as it is wrong: whoever speaks another protocol may never send more. */
    private void checkPrefix() throws BadPacketException {
        if (prefixLength <= 2 && prefix != Codes.TO_SERVER >> 8 * (2 - prefixLength)) {
            throw new BadPacketException(Defect.MAGIC);
        }
        if (prefixLength == Codes.PREFIX && (prefix & 0xffff) > longest) {
            throw new BadPacketException(Defect.TOO_LONG);
        }
    }

    private byte @Nullable [] fill(ByteBuffer in) {
        byte[] all = payload;
        if (all == null) {
            all = new byte[prefix & 0xffff];
            payload = all;
        }
        int step = Math.min(in.remaining(), all.length - length);
        in.get(all, length, step);
        length += step;
        return length == all.length ? all : null;
    }
}
