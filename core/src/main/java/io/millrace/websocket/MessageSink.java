package io.millrace.websocket;

import java.nio.ByteBuffer;

/** Gets what a {@link MessageAssembly} assembles. */
interface MessageSink {

    /** Is the message that begins now wanted in parts? */
    boolean takesParts(boolean text);

    /**
     * A message, or a part of one.
     *
     * @param whole it is not one of several parts
     */
    void text(String message, boolean whole, boolean last);

    /** The same of a binary message. */
    void binary(ByteBuffer message, boolean whole, boolean last);

    /** A ping, to be answered. */
    void pinged(ByteBuffer payload) throws WebSocketException;

    void ponged(ByteBuffer payload) throws WebSocketException;

    /** The peer's close frame; nothing is read after it. */
    void closeReceived(CloseStatus status);

    /** The limits of the message that begins now. */
    WebSocketOptions options();
}
