package io.millrace.websocket.jsr;

import io.millrace.io.Completion;
import io.millrace.io.Delays;
import io.millrace.websocket.MessageOutput;
import io.millrace.websocket.SendBufferFullException;
import io.millrace.websocket.WebSocketConnection;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a session sends, for both of its remotes: how long a send may block, batches, the message that is sent in parts. Any
 * thread; messages of several threads leave one after the other.
 */
final class SessionOutput {

    /** Tomcat's user property for the longest time that a blocking send takes, in milliseconds, a Long; none below 0. */
    private static final String BLOCKING_TIMEOUT = "org.apache.tomcat.websocket.BLOCKING_SEND_TIMEOUT";

    private static final long DEFAULT_BLOCKING_MILLIS = 20_000;

    /** A batch is sent by itself when it has as many octets. */
    private static final long BATCH_LIMIT = 64 * 1024;

    private static final int MAX_CONTROL_PAYLOAD = 125;

    private final JsrSession session;
    private volatile boolean batching;
    // guarded by this
    private @Nullable MessageOutput parts;
    private boolean partsAreText;
    private @Nullable Thread partsOf;

    /** Starts to send, and completes when that is done. */
    @FunctionalInterface
    interface Send {
        void to(WebSocketConnection connection, Completion completion);
    }

    SessionOutput(JsrSession session) {
        this.session = session;
    }

    EndpointRuntime runtime() {
        return session.runtime();
    }

    Coders coders() {
        return session.coders();
    }

    boolean isBatching() {
        return batching;
    }

    void batching(boolean allowed) {
        WebSocketConnection connection = session.connection();
        if (allowed && !batching) {
            batching = true;
            connection.cork();
        } else if (!allowed && batching) {
            batching = false;
            connection.flush();
        }
    }

    void flushBatch() {
        WebSocketConnection connection = session.connection();
        connection.flush();
        if (batching) {
            connection.cork();
        }
    }

    /** Sends a whole message and waits until that is done; in a batch, until there is room for it. */
    void text(String message) throws IOException {
        requireNoParts();
        if (batching) {
            awaitBatch();
            session.connection().sendText(message);
            requireOpen();
        } else {
            block((connection, completion) -> runtime().repeated().send(connection, message, completion));
        }
    }

    /** The same for octets. */
    void binary(ByteBuffer message) throws IOException {
        requireNoParts();
        if (batching) {
            awaitBatch();
            session.connection().sendBinary(message);
            requireOpen();
        } else {
            block((connection, completion) -> connection.sendBinary(message, completion));
        }
        message.position(message.limit());
    }

    private void awaitBatch() throws IOException {
        if (session.connection().unsent() > BATCH_LIMIT) {
            flushBatch();
            awaitRoom(deadline());
        }
    }

    private void requireOpen() throws IOException {
        if (!session.isOpen()) {
            throw new IOException("the session was closed");
        }
    }

    /**
     * Sends a whole message without waiting; the completion fails at once if too much is unsent. A message in a batch counts as
     * sent.
     */
    void textLater(String message, Completion completion) {
        requireNoParts();
        WebSocketConnection connection = session.connection();
        if (!batching) {
            runtime().repeated().send(connection, message, completion);
        } else if (connection.unsent() <= BATCH_LIMIT) {
            connection.sendText(message);
            completion.done(null);
        } else {
            connection.flush();
            connection.sendText(message, completion);
            connection.cork();
        }
    }

    /** The same for octets, which must not change until they are sent. */
    void binaryLater(ByteBuffer message, Completion completion) {
        requireNoParts();
        WebSocketConnection connection = session.connection();
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
     * Sends a part of a text and waits until that is done.
     *
     * @throws IllegalStateException if a binary message is being sent in parts
     */
    void textPart(String part, boolean last) throws IOException {
        MessageOutput output = parts(true, last);
        blockOrFlush((connection, completion) -> output.sendText(part, last, completion));
    }

    /** The same for octets. */
    void binaryPart(ByteBuffer part, boolean last) throws IOException {
        MessageOutput output = parts(false, last);
        blockOrFlush((connection, completion) -> output.sendBinary(part, last, completion));
        part.position(part.limit());
    }

    /** Parts are not kept in a batch: whoever waits for one would wait for the others. */
    private void blockOrFlush(Send send) throws IOException {
        if (batching) {
            session.connection().flush();
        }
        try {
            block(send);
        } finally {
            if (batching) {
                session.connection().cork();
            }
        }
    }

    private synchronized MessageOutput parts(boolean text, boolean last) {
        MessageOutput output = parts;
        if (output != null && partsAreText != text) {
            throw new IllegalStateException("a message is being sent in parts, and it is "
                    + (partsAreText ? "text" : "binary") + "; its last part has to come first");
        }
        if (output == null) {
            output = session.connection().startMessage(text);
        }
        parts = last ? null : output;
        partsAreText = text;
        partsOf = last ? null : Thread.currentThread();
        return output;
    }

    /** A message is not to wait for parts that its own thread has yet to send. */
    private synchronized void requireNoParts() {
        if (Thread.currentThread().equals(partsOf)) {
            throw new IllegalStateException(
                    "this thread is sending a message in parts; its last part has to come before the next message");
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
                    "a ping or pong of " + payload.remaining() + " octets; at most 125 are allowed (RFC 6455, 5.5)");
        }
    }

    /** Most messages are taken at once, so that no clock has to be read. */
    private void block(Send send) throws IOException {
        SendWait first = begun(send);
        if (!first.isSent()) {
            awaitSent(send, first, deadline());
        }
    }

    private SendWait begun(Send send) {
        SendWait wait = new SendWait();
        send.to(session.connection(), wait);
        return wait;
    }

    private void awaitSent(Send send, SendWait first, long deadline) throws IOException {
        Throwable failure = awaited(first, deadline);
        while (failure != null) {
            if (!(failure instanceof SendBufferFullException)) {
                throw new IOException("the message was not sent: " + failure.getMessage(), failure);
            }
            awaitRoom(deadline);
            failure = awaited(begun(send), deadline);
        }
    }

    private @Nullable Throwable awaited(SendWait wait, long deadline) throws IOException {
        try {
            if (!wait.await(deadline - System.nanoTime(), runtime().workers())) {
                throw tooSlow();
            }
            return wait.failure();
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private void awaitRoom(long deadline) throws IOException {
        try {
            if (!session.connection().awaitRoom(Duration.ofNanos(deadline - System.nanoTime()))) {
                throw tooSlow();
            }
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** Nobody knows what of the message the peer has: nothing can follow it. */
    private SocketTimeoutException tooSlow() {
        SocketTimeoutException timeout =
                new SocketTimeoutException("the peer did not take a message in time; the session is closed");
        session.connection().abort(timeout);
        return timeout;
    }

    private InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted =
                new InterruptedIOException("interrupted while a message was sent; the session is closed");
        session.connection().abort(interrupted);
        return interrupted;
    }

    private long deadline() {
        Object told = session.properties().get(BLOCKING_TIMEOUT);
        long millis = told instanceof Number number ? number.longValue() : DEFAULT_BLOCKING_MILLIS;
        long nanos = millis < 0 ? Delays.LONGEST_NANOS : Delays.bounded(TimeUnit.MILLISECONDS.toNanos(millis));
        return System.nanoTime() + nanos;
    }
}
