package io.millrace.websocket;

import io.millrace.exchange.RoutePrediction;
import java.nio.ByteBuffer;

/**
 * Receives the events of connections. May serve any number of connections: each call names its own.
 *
 * <p><b>Threads.</b> The calls for one connection are serialized, on workers. Meanwhile further messages are read ahead,
 * within limits, and pings are answered. With {@code inlineShort}, calls that are expected to be short are made on the connection's event
 * loop instead, which then counts as a worker and may be blocked as such. A listener that never blocks implements {@link NonBlockingWebSocketListener}
 * and is called on the connection's thread.
 *
 * <p><b>Exceptions.</b> An exception of a call is passed to {@link #onError}; then the connection is closed with 1011
 * (RFC 6455, 7.4.1).
 */
public interface WebSocketListener {

    /** The handshake is complete. Nothing is read before this method has returned. */
    default void onOpen(WebSocketConnection connection) throws Exception {}

    /** A complete text message. */
    default void onText(WebSocketConnection connection, String message) throws Exception {}

    /**
     * A complete binary message.
     *
     * @param message from position to limit, on the heap; owned by the listener
     */
    default void onBinary(WebSocketConnection connection, ByteBuffer message) throws Exception {}

    /**
     * Whether the next message is to be delivered in parts as they arrive; its size is then unlimited. Called at the
     * start of a message on the connection's thread; must not block.
     *
     * @param text whether it is a text message; otherwise it is binary
     */
    default boolean takesParts(WebSocketConnection connection, boolean text) {
        return false;
    }

    /**
     * A part of a text message, with at least one character unless it is the last.
     *
     * @param last whether this is the last part of the message
     */
    default void onTextPart(WebSocketConnection connection, String part, boolean last) throws Exception {}

    /**
     * A part of a binary message, not empty unless it is the last.
     *
     * @param part owned by the listener, as in {@link #onBinary}
     * @param last whether this is the last part of the message
     */
    default void onBinaryPart(WebSocketConnection connection, ByteBuffer part, boolean last) throws Exception {}

    /**
     * A pong of the peer, in response to a ping or unsolicited (RFC 6455, 5.5.3). Includes those for the pings of {@link
     * WebSocketOptions#PING_INTERVAL}.
     *
     * @param payload at most 125 bytes; owned by the listener
     */
    default void onPong(WebSocketConnection connection, ByteBuffer payload) throws Exception {}

    /**
     * Whether the connection has ended for this listener as soon as this end closes it: {@link #onClose} is then called at once, not
     * after the peer's close frame, which a dead peer never sends, and messages that still arrive are dropped. An idle timeout is then
     * reported as {@link CloseStatus#ABNORMAL}, as no close frame has arrived (JSR 356, 2.1.5). Must not block.
     */
    default boolean endsAtOnce() {
        return false;
    }

    /**
     * What is known of how long the calls for a connection take, with {@code inlineShort}: they are made on the connection's event loop as
     * long as they are expected to be short. By default all listeners of a class share it. One that calls different endpoints returns that
     * of its endpoint. Must not block.
     */
    default RoutePrediction prediction() {
        return RoutePrediction.ofCalls(getClass());
    }

    /**
     * The connection has ended. Called once, as the last call, even if {@link #onOpen} threw.
     *
     * @param status the status of the peer's close frame, or of ours if we sent the first one; {@link
     *     CloseStatus#ABNORMAL} without a close frame
     */
    default void onClose(WebSocketConnection connection, CloseStatus status) throws Exception {}

    /**
     * The connection broke, the peer violated the protocol, a limit was exceeded, or a call of this listener threw. The
     * connection ends, and {@link #onClose} follows.
     *
     * @param failure a {@link WebSocketException} if the peer caused it; an {@link java.io.IOException} if the
     *     connection broke; otherwise the exception of the listener
     */
    default void onError(WebSocketConnection connection, Throwable failure) throws Exception {}
}
