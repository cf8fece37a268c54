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
 * <p><b>Threads.</b> Every method may be called on any thread at any time; none blocks but {@link #awaitRoom}. Messages sent by
 * several threads at once leave one after the other. After the end they fail their completions, and nothing is thrown.
 *
 * <p><b>Completions</b> run when the transport has taken the message, on the thread that found out, and must not block. A message
 * is not sent, and its completion gets a {@link SendBufferFullException}, while more than {@link
 * WebSocketOptions#SEND_BUFFER_LIMIT} bytes are unsent. A message without completion ends the connection in that case, with 1008,
 * since the loss of the message would go unnoticed.
 */
public interface WebSocketConnection {

    /** Sends a text message, in UTF-8; a surrogate without its partner is sent as {@code ?}. */
    void sendText(String message, Completion completion);

    /** The same without completion. */
    void sendText(String message);

    /**
     * Sends a binary message: the bytes from position to limit. The buffer's position is not moved.
     *
     * @param message must not change until the completion has run
     */
    void sendBinary(ByteBuffer message, Completion completion);

    /** The same without completion; the message is copied, and the buffer free when this returns. */
    void sendBinary(ByteBuffer message);

    /** Sends a message that was encoded once for any number of connections. */
    void send(PreparedMessage message, Completion completion);

    /** The same without completion. */
    void send(PreparedMessage message);

    /** Begins a message that is sent in parts. Messages sent meanwhile wait for its last part. */
    MessageOutput startMessage(boolean text);

    /**
     * Sends a ping (RFC 6455, 5.5.2); like every control frame it overtakes messages.
     *
     * @throws IllegalArgumentException if the payload has more than 125 octets
     */
    void ping(ByteBuffer payload, Completion completion);

    /** Sends a pong that no ping asked for (RFC 6455, 5.5.3); otherwise as {@link #ping}. Pings of the peer are answered by themselves. */
    void pong(ByteBuffer payload, Completion completion);

    /**
     * Closes the connection: what was sent before is sent, then the close frame, and the peer has {@link
     * WebSocketOptions#CLOSE_TIMEOUT} to answer. Does nothing if the connection is closing already.
     *
     * @throws IllegalArgumentException if the code can't be sent ({@link CloseStatus#isSendable})
     */
    void close(CloseStatus status);

    /** Cuts the connection, without a close frame. */
    void abort(Throwable cause);

    /** Holds messages back until {@link #flush}, so that many small ones leave in one write. */
    void cork();

    /** Sends what {@link #cork} holds back, and corks no more. */
    void flush();

    /**
     * After the message under way no more are delivered, and soon no more are read, until {@link #resume}. If the peer closes the
     * connection properly, onClose waits behind the messages that came before. If the connection breaks, or this end closes or aborts it,
     * onError and onClose are called at once, and the messages held back are dropped.
     */
    void pause();

    /** Undoes a {@link #pause}. */
    void resume();

    /** False once a close frame was sent or received, or the connection has broken: then messages fail. */
    boolean isOpen();

    /** How many octets of messages wait to be sent. */
    long unsent();

    /**
     * Blocks until no more than {@link WebSocketOptions#SEND_BUFFER_LIMIT} octets are unsent, or the connection is not open. Not to be
     * called by a {@link NonBlockingWebSocketListener} or in a completion.
     *
     * @return false if the time is up
     */
    boolean awaitRoom(Duration timeout) throws InterruptedException;

    /** What the handshake agreed upon. */
    WebSocketInfo info();

    /** The handshake's request, without its header fields. */
    RequestHead request();

    /** The peer's and our address, TLS session. */
    ConnectionInfo connection();

    /** Values that listeners attach. For calls of the listener; not for two threads at once. */
    Attributes attributes();

    /** How this connection behaves. */
    WebSocketOptions options();

    /** From here on this connection behaves so: timeouts at once, limits from the next message on. */
    void options(WebSocketOptions options);
}
