package io.millrace.connector.http2;

import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The fragments of one header block, out of a HEADERS frame and the CONTINUATION frames behind it (RFC 9113, 4.3). Bounded in
 * octets and in frames: an endless block would cost memory and time before any limit of a request's size could be applied.
 */
final class HeaderBlock {

    /** Blocks of more than two frames are rare: one frame holds 16 KiB, compressed. */
    private static final int MOST_CONTINUATIONS = 8;

    private final int id;
    private final boolean end;
    private final int most;
    private byte[] octets = {};
    private int continuations;

    /**
     * Begins a block.
     *
     * @param id its stream
     * @param end does it end the stream?
     * @param most how many octets it may have
     */
    HeaderBlock(int id, boolean end, int most) {
        this.id = id;
        this.end = end;
        this.most = most;
    }

    int id() {
        return id;
    }

    /** Does it end the stream? */
    boolean isEnd() {
        return end;
    }

    /** All fragments so far, in an array of their size. */
    byte[] octets() {
        return octets;
    }

    /** Adds what the payload of a HEADERS frame holds. */
    void add(ByteBuffer fragment) throws ConnectionFault {
        int length = octets.length;
        if (fragment.remaining() > most - length) {
            throw new ConnectionFault(
                    Fault.ENHANCE_YOUR_CALM,
                    "a header block of more than " + most + " octets; to allow more, raise maxHeaderSize");
        }
        octets = Arrays.copyOf(octets, length + fragment.remaining());
        fragment.get(octets, length, fragment.remaining());
    }

    /** Adds the payload of a CONTINUATION frame. */
    void addContinuation(ByteBuffer fragment) throws ConnectionFault {
        if (++continuations > MOST_CONTINUATIONS) {
            throw new ConnectionFault(
                    Fault.ENHANCE_YOUR_CALM,
                    "more than " + MOST_CONTINUATIONS + " CONTINUATION frames of one header block");
        }
        add(fragment);
    }
}
