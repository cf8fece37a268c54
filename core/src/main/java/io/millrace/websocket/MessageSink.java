package io.millrace.websocket;

import java.nio.ByteBuffer;

/** Receives the messages and control frames that a {@link MessageAssembly} assembles. */
interface MessageSink {

    /** Whether the message that begins now is to be delivered in parts. */
    boolean takesParts(boolean text);

    /**
     * A text message, or a part of one.
     *
     * @param whole whether this is a whole message, not a part
     */
    void text(String message, boolean whole, boolean last);

    /** A binary message, or a part of one, as {@link #text}. */
    void binary(ByteBuffer message, boolean whole, boolean last);

    /** A ping, to be answered. */
    void pinged(ByteBuffer payload) throws WebSocketException;

    void ponged(ByteBuffer payload) throws WebSocketException;

    /** The peer's close frame; nothing is read after it. */
    void closeReceived(CloseStatus status);

    /** The limits of the message that begins now. */
    WebSocketOptions options();
}
