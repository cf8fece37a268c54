package io.millrace.websocket;

import io.millrace.io.Delays;
import io.millrace.io.Payload;
import io.millrace.io.WriteLoop;
import io.millrace.log.CoreLog;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serializes the frames of all threads: control frames go ahead of messages and between the parts of one, the close frame
 * last. Frames queued while a write is in progress are sent with the next one.
 *
 * <p>Thread-safe. A {@link WriteLoop} writes and calls completions.
 */
final class WebSocketFrameWriter implements WriteLoop.Owner {

    private final WebSocketSession session;
    private final WriteLoop loop = new WriteLoop(this);

    // guarded by this
    private final SendQueue queue;

    /** The first of the frames that are complete with the write in progress; the others are linked to it. */
    private @Nullable Outgoing sent;

    private long unsent;

    private boolean writing;
    private boolean corked;
    private boolean closing;
    private @Nullable Throwable failure;

    /** Opened when there may be room, or it has ended. Null if nobody waits. No monitor, which pins virtual threads before Java 24. */
    private @Nullable CountDownLatch room;

    private int writes;
    private int watched;
    private boolean watching;

    WebSocketFrameWriter(WebSocketSession session, boolean takeover) {
        this.session = session;
        queue = new SendQueue(session.info().role(), takeover);
    }

    /** Whether messages are compressed with reference to earlier ones. */
    boolean hasHistory() {
        return queue.hasHistory();
    }

    /**
     * Queues a message.
     *
     * @return the reason if it was refused; null if it is queued
     */
    synchronized @Nullable Throwable add(Outgoing message) {
        Throwable refused = refusal();
        if (refused == null) {
            queue.addMessage(message);
            unsent += message.size;
        }
        return refused;
    }

    /** The reason why no message can be queued now; null if one can. */
    synchronized @Nullable Throwable refusal() {
        if (closing) {
            return ended();
        }
        if (unsent == 0) {
            return null;
        }
        long limit = session.options().get(WebSocketOptions.SEND_BUFFER_LIMIT);
        return unsent > limit ? new SendBufferFullException(unsent, limit) : null;
    }

    /**
     * Queues a part of a message; the first part also queues the message.
     *
     * @return the reason if it was refused; null if it is queued
     */
    synchronized @Nullable Throwable addPart(Outgoing message, boolean first, Outgoing part, boolean last) {
        Outgoing.OutgoingQueue parts = message.parts;
        if (closing || parts == null) {
            return ended();
        }
        message.complete |= last;
        parts.add(part);
        unsent += part.size;
        if (first) {
            queue.addMessage(message);
        }
        return null;
    }

    /** Queues a ping or an unsolicited pong. */
    synchronized @Nullable Throwable addControl(Outgoing frame) {
        Throwable refused = refusal();
        if (refused == null) {
            queue.addControl(frame);
            unsent += frame.size;
        }
        return refused;
    }

    /** Answers a ping. */
    synchronized void answer(Outgoing frame) {
        if (!closing) {
            queue.addPong(frame);
        }
    }

    /** Queues the close frame, after which nothing can be sent. */
    synchronized void addClose(Outgoing frame) {
        if (!closing) {
            closing = true;
            queue.addClose(frame);
            corked = false;
            releaseWaiting();
        }
    }

    private Throwable ended() {
        Throwable cause = failure;
        return cause != null ? cause : new IOException("the WebSocket is closed");
    }

    synchronized void cork() {
        corked = !closing;
    }

    synchronized void uncork() {
        corked = false;
    }

    synchronized long unsent() {
        return unsent;
    }

    /** Blocks until there is room; false if the timeout expires first. */
    boolean awaitRoom(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        CountDownLatch opened;
        do {
            synchronized (this) {
                if (closing || unsent <= session.options().get(WebSocketOptions.SEND_BUFFER_LIMIT)) {
                    return true;
                }
                opened = room;
                if (opened == null) {
                    opened = new CountDownLatch(1);
                    room = opened;
                }
            }
        } while (opened.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
        return false;
    }

    /** Called with the lock held: the threads that wait for room look again. */
    private void releaseWaiting() {
        if (room != null) {
            room.countDown();
            room = null;
        }
    }

    /** Writes queued frames, unless another thread does. */
    void pump() {
        loop.wake();
    }

    @Override
    public boolean step() {
        if (loop.isWriting()) {
            return false;
        }
        Payload due;
        synchronized (this) {
            due = failure != null || queue.isEmpty() ? null : take();
            if (due == null) {
                return false;
            }
            writing = true;
            writes++;
        }
        if (session.writesBlock()) {
            watch();
        }
        if (!loop.begin(end -> session.write(due, end))) {
            watch();
        }
        return false;
    }

    /** Called with the lock held. The next write; null if nothing can be sent. Whatever is thrown, {@link #sent} has the frames taken completely. */
    private @Nullable Payload take() {
        boolean held = corked && unsent < WriteBatch.MAX_BYTES;
        Outgoing only = held ? null : queue.takeOnly();
        if (only != null && only.buffers != null) {
            sent = only;
            return new Payload.Bytes(only.buffers);
        }
        WriteBatch batch = new WriteBatch();
        try {
            queue.fill(batch, held);
        } finally {
            sent = batch.complete.first();
        }
        return batch.isEmpty() ? null : batch.payload();
    }

    /** Starts the send timeout: a write that did not complete synchronously may be to a peer that does not read. */
    private void watch() {
        long nanos = Delays.nanos(session.options().get(WebSocketOptions.SEND_TIMEOUT));
        synchronized (this) {
            if (!writing || watching || nanos == 0) {
                return;
            }
            watching = true;
            watched = writes;
        }
        session.after(nanos, this::checkProgress);
    }

    private void checkProgress() {
        boolean stuck;
        synchronized (this) {
            watching = false;
            stuck = writing && watched == writes;
        }
        if (stuck) {
            session.abort(new SocketTimeoutException(
                    "the peer did not read for " + session.options().get(WebSocketOptions.SEND_TIMEOUT)
                            + "; the option is " + WebSocketOptions.SEND_TIMEOUT.name()));
        } else {
            watch();
        }
    }

    @Override
    public void written(@Nullable Throwable thrown) {
        Outgoing ended;
        synchronized (this) {
            ended = sent;
            sent = null;
            writing = false;
            settle(ended);
        }
        if (thrown != null) {
            session.abort(thrown);
        }
        complete(ended, thrown);
        if (thrown == null) {
            session.written();
        }
    }

    /** The frames that were taken before it was thrown are not written any more. */
    @Override
    public void failed(Throwable thrown) {
        written(thrown);
    }

    @Override
    public boolean handOver() {
        return false; // a write has at most 64 KiB, and its end is usually the socket's
    }

    /** Called with the lock held: these frames are no longer unsent. */
    private void settle(@Nullable Outgoing first) {
        for (Outgoing frame = first; frame != null; frame = frame.next) {
            unsent -= frame.size;
        }
        releaseWaiting();
    }

    private void complete(@Nullable Outgoing first, @Nullable Throwable thrown) {
        for (Outgoing frame = first; frame != null; frame = frame.next) {
            try {
                frame.completion.done(thrown);
            } catch (RuntimeException | Error bad) {
                CoreLog.WEBSOCKET.webSocketCompletionFailed(session.printablePath(), bad);
            }
        }
    }

    /** Fails all pending frames. The first call decides. */
    void fail(Throwable cause) {
        Outgoing left;
        synchronized (this) {
            if (failure != null) {
                return;
            }
            failure = cause;
            closing = true;
            left = queue.removeAll().first();
            settle(left);
        }
        complete(left, cause);
    }
}
