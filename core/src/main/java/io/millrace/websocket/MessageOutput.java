package io.millrace.websocket;

import io.millrace.io.Completion;
import java.nio.ByteBuffer;

/**
 * Sends a message in parts, each in a frame. May be called by any thread, by one at a time. A message that was started
 * must be completed, because other messages of the connection wait for its last part.
 */
public interface MessageOutput {

    /**
     * Sends a part of a text message.
     *
     * @param part a high surrogate at its end is sent with the next part
     * @throws IllegalStateException if the message is binary, or complete
     */
    void sendText(String part, boolean last, Completion completion);

    /**
     * Sends a part of a binary message.
     *
     * @param part must not be modified until the completion has been called
     * @throws IllegalStateException if the message is text, or complete
     */
    void sendBinary(ByteBuffer part, boolean last, Completion completion);
}
