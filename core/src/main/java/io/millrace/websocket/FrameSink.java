package io.millrace.websocket;

import java.nio.ByteBuffer;

/** Gets what a {@link FrameReader} reads. */
interface FrameSink {

    /** A frame begins. Its head has been checked as far as it can be without the frames before. */
    void begin(Opcode opcode, boolean isFinal, boolean compressed, long length) throws WebSocketException;

    /** The most octets of payload to be given at a time: the reader returns after so many, and may stop there. */
    default int mostPayload() {
        return Integer.MAX_VALUE;
    }

    /**
     * The next octets of its payload: all that is between position and limit, still masked.
     *
     * @param mask 0 for none
     * @param position of the first octet within the payload
     */
    void payload(ByteBuffer in, int mask, int position) throws WebSocketException;

    /** The frame is complete. */
    void end() throws WebSocketException;
}
