package io.millrace.websocket;

import io.millrace.io.Completion;
import java.nio.ByteBuffer;

/**
 * A message that is sent in parts, a frame each. Any thread, one at a time.
 *
 * <p>Whoever begins a message has to end it: other messages of the connection wait for that.
 */
public interface MessageOutput {

    /**
     * Sends a part of a text message.
     *
     * @param part a surrogate at its end waits for its partner in the next part
     * @throws IllegalStateException if the message is binary, or has had its last part
     */
    void sendText(String part, boolean last, Completion completion);

    /**
     * Sends a part of a binary message.
     *
     * @param part must not change until the completion has run
     * @throws IllegalStateException if the message is text, or has had its last part
     */
    void sendBinary(ByteBuffer part, boolean last, Completion completion);
}
