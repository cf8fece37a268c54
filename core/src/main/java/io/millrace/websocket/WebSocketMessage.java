package io.millrace.websocket;

import java.nio.ByteBuffer;

/** A complete message of {@link MessageStreams}. */
public sealed interface WebSocketMessage {

    /** A text message. */
    record Text(String text) implements WebSocketMessage {}

    /**
     * A binary message.
     *
     * @param bytes from position to limit. The receiver owns those of a received message; those of a sent one must not
     *     be modified until it has been sent
     */
    record Binary(ByteBuffer bytes) implements WebSocketMessage {}
}
