package io.millrace.websocket;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a connection as streams with back-pressure (Reactive Streams, see {@link Flow}), as an alternative to
 * a {@link WebSocketListener}. An echo server: {@code streams.received().subscribe(streams.sender())}.
 *
 * <p>Nothing is read beyond what the subscriber has requested and the few messages that {@link
 * WebSocketConnection#pause} may read ahead; nothing is requested from a publisher while 64 KiB are unsent.
 */
public final class MessageStreams {

    private final WebSocketConnection connection;
    private final ReceivedMessages received;
    private final SentMessages sender;

    private MessageStreams(WebSocketConnection connection) {
        this.connection = connection;
        received = new ReceivedMessages(connection);
        sender = new SentMessages(connection);
    }

    /**
     * A listener that serves one connection with streams: for {@link WebSocketHandshake#accept} and for clients. {@link
     * WebSocketHandler#ofStreams} creates one for each connection.
     *
     * @param opened called on a worker when the connection is open; if it throws, the connection is closed with 1011
     */
    public static WebSocketListener listener(Consumer<MessageStreams> opened) {
        return new Listener(opened);
    }

    /** The connection. Its {@code pause} and {@code resume} are reserved for these streams. */
    public WebSocketConnection connection() {
        return connection;
    }

    /**
     * The messages of the peer. Completes when the connection is closed with 1000, 1001 or without a code; any other end
     * is an error: a {@link WebSocketException} with the close code, or an {@link java.io.IOException}.
     *
     * <p>Accepts one subscriber; others get an IllegalStateException. Signals are serialized, on worker threads. After
     * {@code cancel}, messages are read and discarded: close the connection to end it. A {@code request} with a
     * non-positive number aborts the connection.
     */
    public Flow.Publisher<WebSocketMessage> received() {
        return received;
    }

    /**
     * Sends messages in order; other messages of the connection may be sent between them. {@code onComplete} closes the
     * connection with 1000; {@code onError} is logged and closes it with 1011. The subscription is cancelled when the
     * connection ends.
     *
     * <p>Accepts one publisher; the subscription of another is cancelled. {@code request} and {@code cancel} are called
     * on any thread, including I/O threads, and must not block (Reactive Streams, 3.4, 3.5).
     */
    public Flow.Subscriber<WebSocketMessage> sender() {
        return sender;
    }

    private static final class Listener implements WebSocketListener {

        private final Consumer<MessageStreams> opened;
        private volatile @Nullable MessageStreams streams;

        Listener(Consumer<MessageStreams> opened) {
            this.opened = opened;
        }

        @Override
        public void onOpen(WebSocketConnection connection) {
            connection.pause(); // until messages are requested
            MessageStreams made = new MessageStreams(connection);
            streams = made;
            opened.accept(made);
        }

        private MessageStreams streams() {
            return Objects.requireNonNull(streams, "onOpen is the first call");
        }

        @Override
        public void onText(WebSocketConnection connection, String message) {
            streams().received.next(new WebSocketMessage.Text(message));
        }

        @Override
        public void onBinary(WebSocketConnection connection, ByteBuffer message) {
            streams().received.next(new WebSocketMessage.Binary(message));
        }

        @Override
        public void onError(WebSocketConnection connection, Throwable failure) {
            streams().received.fail(failure);
        }

        @Override
        public void onClose(WebSocketConnection connection, CloseStatus status) {
            try {
                streams().sender.end();
            } finally {
                streams().received.close(status);
            }
        }
    }
}
