package io.millrace.websocket.jsr;

import io.millrace.io.Completion;
import io.millrace.io.Delays;
import io.millrace.io.Timers;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.websocket.EncodeException;
import javax.websocket.RemoteEndpoint;
import javax.websocket.SendHandler;
import javax.websocket.SendResult;
import org.jspecify.annotations.Nullable;

/**
 * Sends without blocking: messages to a slow peer are buffered, and sends fail at once while more than {@code sendBufferLimit}
 * octets are buffered. Thread-safe; workers call the handlers. With batching, a message counts as sent when it is in the batch.
 */
final class AsyncRemote extends Remote implements RemoteEndpoint.Async {

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
                    WebSocketLog.LOG.sendHandlerFailed(handler.getClass().getName(), e);
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
