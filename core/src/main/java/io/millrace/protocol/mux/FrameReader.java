package io.millrace.protocol.mux;

import java.nio.ByteBuffer;

/**
 * Decodes the frames of a multiplexed protocol and reports each to a {@link FrameSink}. One for each connection; it keeps
 * the state of header decompression and the octets of an incomplete frame.
 *
 * <p><b>Threads.</b> Confined to the connection's reader.
 *
 * <p><b>Memory.</b> Between two calls it holds a copy of the octets of an incomplete frame or header block, in an array of
 * their size, and no pooled buffer. DATA is not buffered, but passed on piece by piece.
 */
public interface FrameReader {

    /**
     * Decodes the input and reports its frames. The connection preface comes first, if the protocol has one.
     *
     * @param input read to its limit on return, or until {@link FrameSink#isTurnOver}; the sink may move its position
     *     ({@link FrameSink#data})
     * @throws ConnectionFault for a violation that ends the connection; nothing more is read then
     */
    void read(ByteBuffer input, FrameSink sink) throws ConnectionFault;

    /**
     * Whether the preface, a frame other than DATA, or a header block is incomplete. The connection timeout applies to the
     * rest of it.
     */
    boolean isWithinFrame();

    /** Whether the protocol allows resets of streams that were not opened; they are counted, and otherwise ignored. */
    default boolean allowsResetsOfUnopened() {
        return false;
    }

    /** Releases what the garbage collector does not, such as an Inflater. Called once, when the connection is closed. */
    void close();
}
