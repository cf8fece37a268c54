package io.millrace.websocket.jsr;

import io.millrace.io.Completion;
import io.millrace.io.Delays;
import io.millrace.io.Timers;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.websocket.EncodeException;
import javax.websocket.RemoteEndpoint;
import javax.websocket.SendHandler;
import javax.websocket.SendResult;
import org.jspecify.annotations.Nullable;

/** The methods that both remotes share: batches and pings. Thread-safe. */
abstract class Remote implements RemoteEndpoint {

    final SessionOutput outgoing;

    Remote(SessionOutput outgoing) {
        this.outgoing = outgoing;
    }

    @Override
    public void setBatchingAllowed(boolean allowed) {
        outgoing.batching(allowed);
    }

    @Override
    public boolean getBatchingAllowed() {
        return outgoing.isBatching();
    }

    @Override
    public void flushBatch() {
        outgoing.flushBatch();
    }

    @Override
    public void sendPing(@Nullable ByteBuffer payload) throws IOException {
        outgoing.ping(payload == null ? ByteBuffer.allocate(0) : payload);
    }

    @Override
    public void sendPong(@Nullable ByteBuffer payload) throws IOException {
        outgoing.pong(payload == null ? ByteBuffer.allocate(0) : payload);
    }

    /** @throws IllegalArgumentException if the argument is null (JSR 356) */
    static <T> T required(@Nullable T argument, String name) {
        if (argument == null) {
            throw new IllegalArgumentException(name + " is null");
        }
        return Objects.requireNonNull(argument);
    }

    /** Sends, and returns when the transport has accepted the message, so that the buffer can be reused. Thread-safe. */
    static final class BasicRemote extends Remote implements RemoteEndpoint.Basic {

        BasicRemote(SessionOutput outgoing) {
            super(outgoing);
        }

        @Override
        public void sendText(@Nullable String text) throws IOException {
            outgoing.text(required(text, "the text"));
        }

        @Override
        public void sendBinary(@Nullable ByteBuffer data) throws IOException {
            outgoing.binary(required(data, "the data"));
        }

        @Override
        public void sendText(@Nullable String part, boolean last) throws IOException {
            outgoing.textPart(required(part, "the text"), last);
        }

        @Override
        public void sendBinary(@Nullable ByteBuffer part, boolean last) throws IOException {
            outgoing.binaryPart(required(part, "the data"), last);
        }

        @Override
        public OutputStream getSendStream() {
            return new PartStream(outgoing);
        }

        @Override
        public Writer getSendWriter() {
            return new BufferedWriter(new PartWriter(outgoing));
        }

        @Override
        public void sendObject(@Nullable Object object) throws IOException, EncodeException {
            Object encoded = outgoing.coders().encode(required(object, "the object"));
            if (encoded instanceof String text) {
                outgoing.text(text);
            } else {
                outgoing.binary((ByteBuffer) encoded);
            }
        }

        /** A binary message as a stream, sent in parts of one buffer each; closing it ends the message. Not thread-safe. */
        private static final class PartStream extends OutputStream {

            private static final int SIZE = 8192;

            private final SessionOutput outgoing;
            private final ByteBuffer buffer = ByteBuffer.allocate(SIZE);
            private boolean closed;

            PartStream(SessionOutput outgoing) {
                this.outgoing = outgoing;
            }

            @Override
            public void write(int octet) throws IOException {
                write(new byte[] {(byte) octet}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                requireOpen();
                int at = offset;
                int end = offset + length;
                while (at < end) {
                    if (!buffer.hasRemaining()) {
                        send(false);
                    }
                    int count = Math.min(buffer.remaining(), end - at);
                    buffer.put(bytes, at, count);
                    at += count;
                }
            }

            @Override
            public void flush() throws IOException {
                requireOpen();
                if (buffer.position() > 0) {
                    send(false);
                }
            }

            @Override
            public void close() throws IOException {
                if (!closed) {
                    closed = true;
                    send(true);
                }
            }

            private void send(boolean last) throws IOException {
                buffer.flip();
                outgoing.binaryPart(buffer, last);
                buffer.clear();
            }

            private void requireOpen() throws IOException {
                if (closed) {
                    throw new IOException("the stream is closed, and its message was sent");
                }
            }
        }

        /** A text message as a writer: each write sends a part; closing it ends the message. Not thread-safe. */
        private static final class PartWriter extends Writer {

            private final SessionOutput outgoing;
            private boolean closed;

            PartWriter(SessionOutput outgoing) {
                this.outgoing = outgoing;
            }

            @Override
            public void write(char[] text, int offset, int length) throws IOException {
                if (closed) {
                    throw new IOException("the writer is closed, and its message was sent");
                }
                if (length > 0) {
                    outgoing.textPart(new String(text, offset, length), false);
                }
            }

            /** Does nothing: no text is buffered here. */
            @Override
            public void flush() {}

            @Override
            public void close() throws IOException {
                if (!closed) {
                    closed = true;
                    outgoing.textPart("", true);
                }
            }
        }
    }

    /**
     * Sends without blocking: messages to a slow peer are buffered, and sends fail at once while more than {@code sendBufferLimit}
     * bytes are buffered. Thread-safe; workers call the handlers. With batching, a message counts as sent when it is in the batch.
     */
    static final class AsyncRemote extends Remote implements RemoteEndpoint.Async {

        private volatile long sendTimeout;

        AsyncRemote(SessionOutput outgoing) {
            super(outgoing);
            sendTimeout = outgoing.runtime().container().getDefaultAsyncSendTimeout();
        }

        @Override
        public long getSendTimeout() {
            return sendTimeout;
        }

        @Override
        public void setSendTimeout(long milliseconds) {
            sendTimeout = milliseconds;
        }

        @Override
        public void sendText(@Nullable String text, @Nullable SendHandler handler) {
            String message = required(text, "the text");
            Sending sending = new Sending(completion(required(handler, "the handler")));
            sending.begin(() -> outgoing.textAsync(message, sending));
        }

        @Override
        public Future<Void> sendText(@Nullable String text) {
            String message = required(text, "the text");
            CompletableFuture<Void> future = new CompletableFuture<>();
            Sending sending = new Sending(completion(future));
            sending.begin(() -> outgoing.textAsync(message, sending));
            return future;
        }

        @Override
        public Future<Void> sendBinary(@Nullable ByteBuffer data) {
            ByteBuffer message = required(data, "the data");
            CompletableFuture<Void> future = new CompletableFuture<>();
            Sending sending = new Sending(completion(future));
            sending.begin(() -> outgoing.binaryAsync(message, sending));
            return future;
        }

        @Override
        public void sendBinary(@Nullable ByteBuffer data, @Nullable SendHandler handler) {
            ByteBuffer message = required(data, "the data");
            Sending sending = new Sending(completion(required(handler, "the handler")));
            sending.begin(() -> outgoing.binaryAsync(message, sending));
        }

        @Override
        public Future<Void> sendObject(@Nullable Object object) {
            CompletableFuture<Void> future = new CompletableFuture<>();
            encodeAndSend(required(object, "the object"), completion(future));
            return future;
        }

        @Override
        public void sendObject(@Nullable Object object, @Nullable SendHandler handler) {
            encodeAndSend(required(object, "the object"), completion(required(handler, "the handler")));
        }

        private void encodeAndSend(Object object, Completion completion) {
            Sending sending = new Sending(completion);
            try {
                Object encoded = outgoing.coders().encode(object);
                sending.begin(() -> {
                    if (encoded instanceof String text) {
                        outgoing.textAsync(text, sending);
                    } else {
                        outgoing.binaryAsync((ByteBuffer) encoded, sending);
                    }
                });
            } catch (EncodeException e) {
                completion.done(e);
            }
        }

        private static Completion completion(CompletableFuture<Void> future) {
            return failure -> {
                if (failure == null) {
                    future.complete(null);
                } else {
                    future.completeExceptionally(failure);
                }
            };
        }

        /** Calls the handler on a worker, because the completing thread may be one that must not block. */
        private Completion completion(SendHandler handler) {
            return failure -> {
                SendResult result = failure == null ? new SendResult() : new SendResult(failure);
                Runnable call = () -> outgoing.runtime().run(() -> {
                    try {
                        handler.onResult(result);
                    } catch (RuntimeException | Error e) {
                        WebSocketLog.ENDPOINTS.sendHandlerFailed(
                                handler.getClass().getName(), e);
                    }
                });
                try {
                    outgoing.runtime().workers().execute(call);
                } catch (RejectedExecutionException stopping) {
                    call.run();
                }
            };
        }

        /** The send of one message. The first outcome counts: it is sent, it fails, or it times out. */
        private final class Sending implements Completion {

            private final Completion result;
            private final AtomicBoolean completed = new AtomicBoolean();
            private volatile Timers.@Nullable Timer timer;

            Sending(Completion result) {
                this.result = result;
            }

            void begin(Runnable send) {
                send.run();
                long timeout = sendTimeout;
                if (timeout > 0 && !completed.get()) {
                    timer = outgoing.runtime().timers().scheduleNanos(this::expire, Delays.nanosOfMillis(timeout));
                    if (completed.get()) {
                        cancelTimer();
                    }
                }
            }

            private void expire() {
                done(new SocketTimeoutException(
                        "the message was not sent within the send timeout of " + sendTimeout + " ms"));
            }

            @Override
            public void done(@Nullable Throwable failure) {
                if (!completed.getAndSet(true)) {
                    cancelTimer();
                    result.done(failure);
                }
            }

            private void cancelTimer() {
                Timers.Timer set = timer;
                if (set != null) {
                    set.cancel();
                }
            }
        }
    }
}
