package io.millrace.websocket.jsr;

import io.millrace.io.Completion;
import io.millrace.io.Delays;
import io.millrace.websocket.MessageOutput;
import io.millrace.websocket.SendBufferFullException;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.workers.Workers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The output of a session, for both of its remotes: blocking sends with their timeout, batches, and messages that are sent in
 * parts. Thread-safe; messages of several threads are sent one after the other.
 */
final class SessionOutput {

    /** Tomcat's user property with the timeout of blocking sends, a Long in milliseconds; negative values mean no timeout. */
    private static final String BLOCKING_TIMEOUT = "org.apache.tomcat.websocket.BLOCKING_SEND_TIMEOUT";

    private static final long DEFAULT_BLOCKING_MILLIS = 20_000;

    /** The bytes at which a batch is flushed. */
    private static final long BATCH_LIMIT = 64 * 1024;

    private static final int MAX_CONTROL_PAYLOAD = 125;

    private final WebSocketConnection connection;
    private final EndpointRuntime runtime;
    private final Coders coders;
    private final UserProperties properties;
    private volatile boolean batching;
    // guarded by this
    private @Nullable MessageOutput parts;
    private boolean partsAreText;
    private @Nullable Thread partsThread;

    /** Starts to send a message. */
    @FunctionalInterface
    interface Send {
        void to(WebSocketConnection connection, Completion completion);
    }

    SessionOutput(WebSocketConnection connection, EndpointRuntime runtime, Coders coders, UserProperties properties) {
        this.connection = connection;
        this.runtime = runtime;
        this.coders = coders;
        this.properties = properties;
    }

    EndpointRuntime runtime() {
        return runtime;
    }

    Coders coders() {
        return coders;
    }

    boolean isBatching() {
        return batching;
    }

    void batching(boolean allowed) {
        if (allowed && !batching) {
            batching = true;
            connection.cork();
        } else if (!allowed && batching) {
            batching = false;
            connection.flush();
        }
    }

    void flushBatch() {
        connection.flush();
        if (batching) {
            connection.cork();
        }
    }

    /** Sends a whole message and waits until it is sent; with batching, until there is room for it. */
    void text(String message) throws IOException {
        requireNoParts();
        if (batching) {
            awaitBatch();
            connection.sendText(message);
            requireOpen();
        } else {
            block((connection, completion) -> runtime.repeated().send(connection, message, completion));
        }
    }

    /** The same for binary data. */
    void binary(ByteBuffer message) throws IOException {
        requireNoParts();
        if (batching) {
            awaitBatch();
            connection.sendBinary(message);
            requireOpen();
        } else {
            block((connection, completion) -> connection.sendBinary(message, completion));
        }
        message.position(message.limit());
    }

    private void awaitBatch() throws IOException {
        if (connection.unsent() > BATCH_LIMIT) {
            flushBatch();
            awaitRoom(deadline());
        }
    }

    private void requireOpen() throws IOException {
        if (!connection.isOpen()) {
            throw new IOException("the session was closed");
        }
    }

    /**
     * Sends a whole message without waiting; the completion fails at once if the send buffer is full. A message in a batch counts
     * as sent.
     */
    void textAsync(String message, Completion completion) {
        requireNoParts();
        if (!batching) {
            runtime.repeated().send(connection, message, completion);
        } else if (connection.unsent() <= BATCH_LIMIT) {
            connection.sendText(message);
            completion.done(null);
        } else {
            connection.flush();
            connection.sendText(message, completion);
            connection.cork();
        }
    }

    /** The same for binary data, which must not change until it is sent. */
    void binaryAsync(ByteBuffer message, Completion completion) {
        requireNoParts();
        if (!batching) {
            connection.sendBinary(message, completion);
        } else if (connection.unsent() <= BATCH_LIMIT) {
            connection.sendBinary(message);
            completion.done(null);
        } else {
            connection.flush();
            connection.sendBinary(message, completion);
            connection.cork();
        }
    }

    /**
     * Sends a part of a text message and waits until it is sent.
     *
     * @throws IllegalStateException if a binary message is being sent in parts
     */
    void textPart(String part, boolean last) throws IOException {
        MessageOutput output = parts(true, last);
        blockOrFlush((connection, completion) -> output.sendText(part, last, completion));
    }

    /** The same for binary data. */
    void binaryPart(ByteBuffer part, boolean last) throws IOException {
        MessageOutput output = parts(false, last);
        blockOrFlush((connection, completion) -> output.sendBinary(part, last, completion));
        part.position(part.limit());
    }

    /** Parts are not added to a batch: a thread that waits for a part would wait for the whole batch. */
    private void blockOrFlush(Send send) throws IOException {
        if (batching) {
            connection.flush();
        }
        try {
            block(send);
        } finally {
            if (batching) {
                connection.cork();
            }
        }
    }

    private synchronized MessageOutput parts(boolean text, boolean last) {
        MessageOutput output = parts;
        if (output != null && partsAreText != text) {
            throw new IllegalStateException("a message is being sent in parts, and it is "
                    + (partsAreText ? "text" : "binary") + "; its last part must be sent first");
        }
        if (output == null) {
            output = connection.startMessage(text);
        }
        parts = last ? null : output;
        partsAreText = text;
        partsThread = last ? null : Thread.currentThread();
        return output;
    }

    /** A message must not wait for parts that its own thread has not sent yet. */
    private synchronized void requireNoParts() {
        if (Thread.currentThread().equals(partsThread)) {
            throw new IllegalStateException(
                    "this thread is sending a message in parts; its last part must be sent before the next message");
        }
    }

    void ping(ByteBuffer payload) throws IOException {
        requireShort(payload);
        control((connection, completion) -> connection.ping(payload, completion));
    }

    void pong(ByteBuffer payload) throws IOException {
        requireShort(payload);
        control((connection, completion) -> connection.pong(payload, completion));
    }

    private void control(Send send) throws IOException {
        blockOrFlush(send);
    }

    private static void requireShort(ByteBuffer payload) {
        if (payload.remaining() > MAX_CONTROL_PAYLOAD) {
            throw new IllegalArgumentException(
                    "a ping or pong of " + payload.remaining() + " bytes; at most 125 are allowed (RFC 6455, 5.5)");
        }
    }

    /** Most messages are accepted at once, without reading the clock. */
    private void block(Send send) throws IOException {
        SendWait first = start(send);
        if (!first.isSent()) {
            awaitSent(send, first, deadline());
        }
    }

    private SendWait start(Send send) {
        SendWait wait = new SendWait();
        send.to(connection, wait);
        return wait;
    }

    private void awaitSent(Send send, SendWait first, long deadline) throws IOException {
        Throwable failure = awaited(first, deadline);
        while (failure != null) {
            if (!(failure instanceof SendBufferFullException)) {
                throw new IOException("the message was not sent: " + failure.getMessage(), failure);
            }
            awaitRoom(deadline);
            failure = awaited(start(send), deadline);
        }
    }

    private @Nullable Throwable awaited(SendWait wait, long deadline) throws IOException {
        try {
            if (!wait.await(deadline - System.nanoTime(), runtime.workers())) {
                throw tooSlow();
            }
            return wait.failure();
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private void awaitRoom(long deadline) throws IOException {
        try {
            if (!connection.awaitRoom(Duration.ofNanos(deadline - System.nanoTime()))) {
                throw tooSlow();
            }
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** Aborts the connection: part of the message may have been sent, so that no other can follow. */
    private SocketTimeoutException tooSlow() {
        SocketTimeoutException timeout =
                new SocketTimeoutException("sending a message timed out; the session is closed");
        connection.abort(timeout);
        return timeout;
    }

    private InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted =
                new InterruptedIOException("interrupted while sending a message; the session is closed");
        connection.abort(interrupted);
        return interrupted;
    }

    private long deadline() {
        Object timeout = properties.get(BLOCKING_TIMEOUT);
        long millis = timeout instanceof Number number ? number.longValue() : DEFAULT_BLOCKING_MILLIS;
        long nanos = millis < 0 ? Delays.LONGEST_NANOS : Delays.bounded(TimeUnit.MILLISECONDS.toNanos(millis));
        return System.nanoTime() + nanos;
    }

    /** Waits until one message has been sent. */
    private static final class SendWait implements Completion {

        private final CountDownLatch done = new CountDownLatch(1);
        private volatile @Nullable Throwable failure;

        @Override
        public void done(@Nullable Throwable why) {
            failure = why;
            done.countDown();
        }

        /**
         * Waits.
         *
         * @param executor notified of the wait if it is a worker pool, so that another thread may replace this one
         * @return false if the wait timed out
         */
        boolean await(long nanos, Executor executor) throws InterruptedException {
            if (done.getCount() == 0) {
                return true;
            }
            if (!(executor instanceof Workers workers)) {
                return done.await(nanos, TimeUnit.NANOSECONDS);
            }
            workers.beginWait();
            try {
                return done.await(nanos, TimeUnit.NANOSECONDS);
            } finally {
                workers.endWait();
            }
        }

        /** Whether the message has been sent. */
        boolean isSent() {
            return done.getCount() == 0 && failure == null;
        }

        /** The failure; null if the message was sent. Called after the wait. */
        @Nullable
        Throwable failure() {
            return failure;
        }
    }
}
