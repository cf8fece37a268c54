package io.millrace.protocol.mux;

import java.nio.ByteBuffer;

/**
 * Makes events of a connection's bytes: what a protocol of many streams has of its own on the way in. One for each connection;
 * it keeps the state of header decompression, and what an input's end has cut of a frame.
 *
 * <p><b>Threads.</b> Only the connection's reader calls it.
 *
 * <p><b>Memory.</b> Between two calls it holds a copy, of their own size, of the octets of an incomplete frame or header block,
 * and no buffer of a pool. DATA is never held back: it is told piece by piece.
 */
public interface FrameReader {

    /**
     * Reads all of the input, and tells what it says. Begins with the connection preface, if the protocol has one.
     *
     * @param input read to its limit on return; the sink may move its position ({@link FrameSink#data})
     * @throws ConnectionFault if the peer broke a rule that the connection can't survive. Nothing more is read then
     */
    void read(ByteBuffer input, FrameSink sink) throws ConnectionFault;

    /**
     * Is the peer in the midst of something that has to be completed soon: the preface, a frame other than DATA, a header
     * block? A peer that takes too long for it is cut off.
     */
    boolean isWithinFrame();

    /** The connection is closed: gives back what is not the garbage collector's, such as an Inflater. Once. */
    void close();
}
