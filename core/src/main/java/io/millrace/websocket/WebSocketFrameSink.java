package io.millrace.websocket;

import java.nio.ByteBuffer;

/** Receives the frames that a {@link WebSocketFrameReader} parses. */
interface WebSocketFrameSink {

    /** A frame begins. Its head is valid, as far as that can be checked without the previous frames. */
    void begin(Opcode opcode, boolean isFinal, boolean compressed, long length) throws WebSocketException;

    /** The maximum number of bytes passed to {@link #payload} at a time; the reader returns after them. */
    default int mostPayload() {
        return Integer.MAX_VALUE;
    }

    /**
     * The next bytes of the payload, from position to limit, still masked.
     *
     * @param mask 0 for none
     * @param position of the first byte within the payload
     */
    void payload(ByteBuffer in, int mask, int position) throws WebSocketException;

    /** The frame is complete. */
    void end() throws WebSocketException;
}
