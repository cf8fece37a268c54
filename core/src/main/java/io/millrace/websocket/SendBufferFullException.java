package io.millrace.websocket;

import java.io.IOException;

/** A message was not sent because more than {@link WebSocketOptions#SEND_BUFFER_LIMIT} bytes were unsent. */
public final class SendBufferFullException extends IOException {

    private static final long serialVersionUID = 1;

    SendBufferFullException(long unsent, long limit) {
        super(unsent + " bytes are unsent, the limit is " + limit
                + "; wait for completions or for WebSocketConnection.awaitRoom, or raise the option sendBufferLimit");
    }
}
