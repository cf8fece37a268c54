package io.millrace.websocket;

import io.millrace.exchange.Attributes;
import io.millrace.http.RequestHead;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionInfo;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * A WebSocket connection, of a server or a client.
 *
 * <p><b>Threads.</b> Every method may be called by any thread at any time; only {@link #awaitRoom} blocks. Messages sent
 * by several threads at the same time are sent one after the other. After the connection has ended, sending fails the
 * completion and throws nothing.
 *
 * <p><b>Completions</b> are called when the transport has sent the message, on the thread that completed the write, and
 * must not block. While more than {@link WebSocketOptions#SEND_BUFFER_LIMIT} bytes are unsent, a further message is not
 * sent, and its completion gets a {@link SendBufferFullException}; a message without completion then ends the connection
 * with 1008, since its loss would go unnoticed.
 */
public interface WebSocketConnection {

    /** Sends a text message in UTF-8; an unpaired surrogate is sent as {@code ?}. */
    void sendText(String message, Completion completion);

    /** Sends a text message without completion. */
    void sendText(String message);

    /**
     * Sends a binary message: the bytes from position to limit. The buffer's position is not changed.
     *
     * @param message must not be modified until the completion has been called
     */
    void sendBinary(ByteBuffer message, Completion completion);

    /** Sends a binary message without completion. The message is copied; the buffer may be reused when this method returns. */
    void sendBinary(ByteBuffer message);

    /** Sends a message that was encoded once for any number of connections. */
    void send(PreparedMessage message, Completion completion);

    /** Sends a prepared message without completion. */
    void send(PreparedMessage message);

    /** Starts a message that is sent in parts. Other messages wait for its last part. */
    MessageOutput startMessage(boolean text);

    /**
     * Sends a ping (RFC 6455, 5.5.2) ahead of pending messages.
     *
     * @throws IllegalArgumentException if the payload has more than 125 bytes
     */
    void ping(ByteBuffer payload, Completion completion);

    /** Sends an unsolicited pong (RFC 6455, 5.5.3) ahead of pending messages. Pings of the peer are answered automatically. */
    void pong(ByteBuffer payload, Completion completion);

    /**
     * Closes the connection: pending messages are sent, then the close frame, which the peer must answer within {@link
     * WebSocketOptions#CLOSE_TIMEOUT}. Does nothing if the connection is already closing.
     *
     * @throws IllegalArgumentException if the code cannot be sent ({@link CloseStatus#isSendable})
     */
    void close(CloseStatus status);

    /** Aborts the connection without a close frame. */
    void abort(Throwable cause);

    /** Buffers messages until {@link #flush}, so that many small ones are sent in one write. */
    void cork();

    /** Sends the messages that {@link #cork} has buffered, and stops buffering. */
    void flush();

    /**
     * Stops the delivery of messages after the current one, and soon also reading, until {@link #resume}. If the peer
     * closes the connection properly, onClose is called after the messages received before. If the connection breaks, or
     * this end closes or aborts it, onError and onClose are called immediately, and messages that were not delivered are
     * dropped.
     */
    void pause();

    /** Reverts {@link #pause}. */
    void resume();

    /** False after a close frame was sent or received, or the connection broke: sending then fails. */
    boolean isOpen();

    /** The number of bytes of unsent messages. */
    long unsent();

    /**
     * Blocks until at most {@link WebSocketOptions#SEND_BUFFER_LIMIT} bytes are unsent, or the connection is no longer
     * open. Must not be called by a {@link NonBlockingWebSocketListener} or a completion.
     *
     * @return false if the timeout expired
     */
    boolean awaitRoom(Duration timeout) throws InterruptedException;

    /** The result of the handshake. */
    WebSocketInfo info();

    /** The request of the handshake, without header fields. */
    RequestHead request();

    /** The addresses of both ends, and the TLS session. */
    ConnectionInfo connection();

    /** The attributes of the connection, for use in calls of the listener; not thread-safe. */
    Attributes attributes();

    /** The options of this connection. */
    WebSocketOptions options();

    /** Replaces the options of this connection: timeouts take effect immediately, limits with the next message. */
    void options(WebSocketOptions options);
}
