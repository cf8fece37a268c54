package io.millrace.connector.http2;

import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The fragments of one header block, from a HEADERS frame and its CONTINUATION frames (RFC 9113, 4.3). Limited in octets and in
 * frames: an endless block would cost memory and time before any limit of a request's size could be applied.
 */
final class HeaderBlock {

    /** Blocks of more than two frames are rare: a frame has up to 16 KiB of compressed fields. */
    private static final int MAX_CONTINUATIONS = 8;

    private final int id;
    private final boolean end;
    private final int maxLength;
    private byte[] bytes = {};
    private int continuations;

    /**
     * An empty block.
     *
     * @param id its stream
     * @param end whether it ends the stream
     * @param maxLength in octets
     */
    HeaderBlock(int id, boolean end, int maxLength) {
        this.id = id;
        this.end = end;
        this.maxLength = maxLength;
    }

    int id() {
        return id;
    }

    /** Whether it ends the stream. */
    boolean isEnd() {
        return end;
    }

    /** The fragments so far, in an array of their size. */
    byte[] bytes() {
        return bytes;
    }

    /** Adds the fragment of a HEADERS frame. */
    void add(ByteBuffer fragment) throws ConnectionFault {
        int length = bytes.length;
        if (fragment.remaining() > maxLength - length) {
            throw new ConnectionFault(
                    Fault.ENHANCE_YOUR_CALM,
                    "a header block of more than " + maxLength + " octets; to allow more, raise maxHeaderSize");
        }
        bytes = Arrays.copyOf(bytes, length + fragment.remaining());
        fragment.get(bytes, length, fragment.remaining());
    }

    /** Adds the payload of a CONTINUATION frame. */
    void addContinuation(ByteBuffer fragment) throws ConnectionFault {
        if (++continuations > MAX_CONTINUATIONS) {
            throw new ConnectionFault(
                    Fault.ENHANCE_YOUR_CALM,
                    "more than " + MAX_CONTINUATIONS + " CONTINUATION frames of one header block");
        }
        add(fragment);
    }
}
