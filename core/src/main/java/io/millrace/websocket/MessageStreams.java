package io.millrace.websocket;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one connection as streams with back-pressure (Reactive Streams, as {@link Flow} has them), for those who would
 * rather not write a {@link WebSocketListener}. An echo is {@code streams.received().subscribe(streams.sender())}.
 *
 * <p>Nothing is read from the peer beyond what was asked for and the few messages of {@link WebSocketConnection#pause}; nothing is asked of a publisher
 * while 64 KiB wait to be sent.
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
     * A listener that serves one connection by streams: for {@link WebSocketHandshake#accept} and for clients. {@link
     * WebSocketHandler#ofStreams} makes one for each connection.
     *
     * @param opened is called when the connection is open, on a worker; what it throws closes the connection with 1011
     */
    public static WebSocketListener listener(Consumer<MessageStreams> opened) {
        return new Listener(opened);
    }

    /** The connection. Its {@code pause} and {@code resume} are these streams' own. */
    public WebSocketConnection connection() {
        return connection;
    }

    /**
     * What the peer sends. It completes when the connection was closed with 1000, 1001 or without a code; every other end is an error: a
     * {@link WebSocketException} with the close code, or an {@link java.io.IOException}.
     *
     * <p>For one subscriber; others get an IllegalStateException. Signals are serialized, on worker threads. After {@code
     * cancel} messages are read and dropped: to end the connection, close it. {@code request} with a number that is not positive aborts it.
     */
    public Flow.Publisher<WebSocketMessage> received() {
        return received;
    }

    /**
     * Sends what it is given, in order; other messages of the connection may be sent between them. {@code onComplete} closes
     * the connection with 1000, {@code onError} is logged and closes it with 1011. The subscription is cancelled when the connection ends.
     *
     * <p>For one publisher: the subscription of another is cancelled. {@code request} and {@code cancel} are called on any
     * thread, I/O threads included, so they must not block (Reactive Streams, 3.4, 3.5).
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
            connection.pause(); // until messages are asked for
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
