package io.millrace.websocket;

import io.millrace.log.CoreLog;
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

    /**
     * The publisher of a connection's messages. The connection is paused while there is no demand.
     *
     * <pre>
     * state        subscribe     onSubscribe has returned    end            end signalled, or cancel
     * NEW          SUBSCRIBING   –                           NEW            –
     * SUBSCRIBING  refused       ACTIVE                      SUBSCRIBING    OVER
     * ACTIVE       refused       –                           OVER           OVER
     * OVER         refused       –                           OVER           OVER
     * </pre>
     *
     * <p><b>Threads.</b> {@link #next}, {@link #fail} and {@link #close} are called by the listener, serially. An end before onSubscribe has returned is
     * signalled by the thread that subscribes.
     */
    private static final class ReceivedMessages implements Flow.Publisher<WebSocketMessage>, Flow.Subscription {

        private enum State {
            NEW,
            SUBSCRIBING,
            ACTIVE,
            OVER
        }

        private final WebSocketConnection connection;

        // guarded by this
        private State state = State.NEW;
        private Flow.@Nullable Subscriber<? super WebSocketMessage> subscriber;
        private long demand;
        private boolean ended;
        private @Nullable Throwable failure;

        ReceivedMessages(WebSocketConnection connection) {
            this.connection = connection;
        }

        @Override
        public void subscribe(Flow.Subscriber<? super WebSocketMessage> requester) {
            Objects.requireNonNull(requester);
            boolean first;
            synchronized (this) {
                first = state == State.NEW;
                if (first) {
                    state = State.SUBSCRIBING;
                    subscriber = requester;
                }
            }
            if (!first) {
                requester.onSubscribe(new Refused());
                requester.onError(new IllegalStateException("the messages of a connection accept only one subscriber"));
                return;
            }
            requester.onSubscribe(this);
            boolean over;
            synchronized (this) {
                if (state == State.SUBSCRIBING) {
                    state = State.ACTIVE;
                }
                over = ended;
            }
            if (over) {
                signalEnd();
            } else {
                resumeIfRequested();
            }
        }

        /** The subscription of a rejected subscriber. */
        private static final class Refused implements Flow.Subscription {
            @Override
            public void request(long count) {}

            @Override
            public void cancel() {}
        }

        @Override
        public void request(long count) {
            if (count <= 0) {
                connection.abort(new IllegalArgumentException(
                        "request(" + count + "): expected at least 1 (Reactive Streams, 3.9)"));
                return;
            }
            synchronized (this) {
                demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
            }
            resumeIfRequested();
        }

        private void resumeIfRequested() {
            boolean wanted;
            synchronized (this) {
                wanted = state == State.OVER || state == State.ACTIVE && demand > 0;
            }
            if (wanted) {
                connection.resume();
            }
        }

        /** Further messages are read and dropped, so that the peer's close frame is received. */
        @Override
        public void cancel() {
            synchronized (this) {
                state = State.OVER;
                subscriber = null;
            }
            connection.resume();
        }

        /** Delivers a message, for which there is demand. */
        void next(WebSocketMessage message) {
            Flow.Subscriber<? super WebSocketMessage> receiving;
            synchronized (this) {
                receiving = subscriber;
            }
            if (receiving == null) {
                return;
            }
            receiving.onNext(message);
            boolean last;
            synchronized (this) {
                demand -= demand == Long.MAX_VALUE ? 0 : 1;
                last = demand == 0 && state == State.ACTIVE;
            }
            if (last) {
                connection.pause();
                resumeIfRequested(); // request may have been called meanwhile
            }
        }

        void fail(Throwable thrown) {
            end(thrown);
        }

        void close(CloseStatus status) {
            int code = status.code();
            boolean orderly = code == CloseStatus.NORMAL.code()
                    || code == CloseStatus.GOING_AWAY.code()
                    || code == CloseStatus.NO_CODE.code();
            end(
                    orderly
                            ? null
                            : new WebSocketException(
                                    code, "the connection was closed with " + code + " " + status.reason()));
        }

        private void end(@Nullable Throwable thrown) {
            boolean known;
            synchronized (this) {
                if (ended) {
                    return;
                }
                ended = true;
                failure = thrown;
                known = state == State.ACTIVE;
            }
            if (known) {
                signalEnd();
            }
        }

        private void signalEnd() {
            Flow.Subscriber<? super WebSocketMessage> ending;
            Throwable why;
            synchronized (this) {
                ending = subscriber;
                why = failure;
                subscriber = null;
                state = State.OVER;
            }
            if (ending == null) {
                return;
            }
            if (why == null) {
                ending.onComplete();
            } else {
                ending.onError(why);
            }
        }
    }

    /** The subscriber that sends a publisher's messages: requests one at a time, and none while the send buffer is full. */
    private static final class SentMessages implements Flow.Subscriber<WebSocketMessage> {

        /** No message is requested while more bytes than this are unsent: as many as one write takes. */
        private static final long ENOUGH = WriteBatch.MAX_BYTES;

        private final WebSocketConnection connection;

        // guarded by this
        private Flow.@Nullable Subscription subscription;
        private boolean over;

        /** Whether the next message is to be requested once there is room. */
        private boolean waiting;

        SentMessages(WebSocketConnection connection) {
            this.connection = connection;
        }

        @Override
        public void onSubscribe(Flow.Subscription offered) {
            Objects.requireNonNull(offered);
            boolean taken;
            synchronized (this) {
                taken = !over && subscription == null;
                if (taken) {
                    subscription = offered;
                    waiting = true;
                }
            }
            if (taken) {
                requestIfRoom();
            } else {
                offered.cancel();
            }
        }

        @Override
        public void onNext(WebSocketMessage message) {
            Objects.requireNonNull(message);
            synchronized (this) {
                waiting = true;
            }
            if (message instanceof WebSocketMessage.Text text) {
                connection.sendText(text.text(), this::sent);
            } else if (message instanceof WebSocketMessage.Binary binary) {
                connection.sendBinary(binary.bytes(), this::sent);
            }
            requestIfRoom();
        }

        private void sent(@Nullable Throwable failure) {
            if (failure == null) {
                requestIfRoom();
                return;
            }
            end();
            if (failure instanceof SendBufferFullException) { // filled by other senders; the stream is incomplete
                connection.close(new CloseStatus(CloseStatus.POLICY, "messages are not read fast enough"));
            }
        }

        private void requestIfRoom() {
            Flow.Subscription ready = null;
            boolean room = connection.unsent() <= ENOUGH;
            synchronized (this) {
                if (waiting && room && !over) {
                    waiting = false;
                    ready = subscription;
                }
            }
            if (ready != null) {
                ready.request(1);
            }
        }

        @Override
        public void onError(Throwable failure) {
            Objects.requireNonNull(failure);
            finish();
            try {
                CoreLog.WEBSOCKET.webSocketPublisherFailed(
                        PeerFaults.printable(connection.request().path().raw()), failure);
            } finally {
                connection.close(new CloseStatus(CloseStatus.INTERNAL_ERROR, ""));
            }
        }

        @Override
        public void onComplete() {
            finish();
            connection.close(CloseStatus.NORMAL);
        }

        private synchronized Flow.@Nullable Subscription finish() {
            Flow.Subscription had = over ? null : subscription;
            over = true;
            subscription = null;
            return had;
        }

        /** The connection has ended. */
        void end() {
            Flow.Subscription left = finish();
            if (left != null) {
                left.cancel();
            }
        }
    }
}
