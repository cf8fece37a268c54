package io.millrace.websocket;

import java.nio.ByteBuffer;

/**
 * Receives what happens on a connection. May serve any number of connections: each call names its own.
 *
 * <p><b>Threads.</b> The calls of one connection follow each other, each after the last has returned, on workers; messages are
 * read ahead meanwhile, within bounds, and pings answered. A listener that never blocks is a {@link
 * NonBlockingWebSocketListener} and is called on the connection's thread.
 *
 * <p><b>Exceptions.</b> What a call throws goes to {@link #onError}; then the connection is closed with 1011 (RFC 6455,
 * 7.4.1).
 */
public interface WebSocketListener {

    /** The handshake is done. Nothing is read before this has returned. */
    default void onOpen(WebSocketConnection connection) throws Exception {}

    /** A whole text message. */
    default void onText(WebSocketConnection connection, String message) throws Exception {}

    /**
     * A whole binary message.
     *
     * @param message the listener's own: in memory of the heap, from position to limit
     */
    default void onBinary(WebSocketConnection connection, ByteBuffer message) throws Exception {}

    /**
     * Does this listener take the next message in parts, as they arrive? Then its size has no limit. Asked when a message begins,
     * on the connection's thread: must not block.
     *
     * @param text of a text message; otherwise of a binary one
     */
    default boolean takesParts(WebSocketConnection connection, boolean text) {
        return false;
    }

    /**
     * A part of a text message, of at least one character unless it is the last.
     *
     * @param last no part of this message follows
     */
    default void onTextPart(WebSocketConnection connection, String part, boolean last) throws Exception {}

    /**
     * A part of a binary message, not empty unless it is the last.
     *
     * @param part the listener's own, as in {@link #onBinary}
     * @param last no part of this message follows
     */
    default void onBinaryPart(WebSocketConnection connection, ByteBuffer part, boolean last) throws Exception {}

    /**
     * The peer answered a ping, or sent a pong unasked (RFC 6455, 5.5.3). Pongs for the pings of {@link
     * WebSocketOptions#PING_INTERVAL} arrive here too.
     *
     * @param payload at most 125 octets; the listener's own
     */
    default void onPong(WebSocketConnection connection, ByteBuffer payload) throws Exception {}

    /**
     * The end, once, after everything else; also if {@link #onOpen} threw.
     *
     * @param status the status of the peer's close frame, or of ours if we sent the first; {@link CloseStatus#ABNORMAL} without close
     *     frame
     */
    default void onClose(WebSocketConnection connection, CloseStatus status) throws Exception {}

    /**
     * The connection broke, the peer violated the protocol, a limit was exceeded, or a call of this listener threw. Then the
     * connection ends and {@link #onClose} follows.
     *
     * @param failure a {@link WebSocketException} if the peer is to blame; an {@link java.io.IOException} if the connection broke
     */
    default void onError(WebSocketConnection connection, Throwable failure) throws Exception {}
}
