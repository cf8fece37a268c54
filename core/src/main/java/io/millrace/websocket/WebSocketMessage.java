package io.millrace.websocket;

import java.nio.ByteBuffer;

/** A whole message, of {@link MessageStreams}. */
public sealed interface WebSocketMessage {

    /** A text message. */
    record Text(String text) implements WebSocketMessage {}

    /**
     * A binary message.
     *
     * @param octets from position to limit. A received message's are the receiver's own; a sent one's must not change until it has been sent
     */
    record Binary(ByteBuffer octets) implements WebSocketMessage {}
}
