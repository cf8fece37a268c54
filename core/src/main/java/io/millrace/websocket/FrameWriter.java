package io.millrace.websocket;

import io.millrace.io.Completion;
import io.millrace.io.Delays;
import io.millrace.io.Payload;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends frames: those of all threads one after the other, control frames before messages and between the parts of one, and
 * the close frame last. What is queued while a write is under way leaves with the next.
 *
 * <p><b>Threads.</b> Any. Whoever finds no write under way makes the next, without a lock; its completion makes the one after.
 */
final class FrameWriter implements Completion {

    private final WebSocketSession session;

    // guarded by this
    private final SendQueue queue;

    /** The first of the frames that leave with the write under way; the others are linked to it. */
    private @Nullable Outgoing sent;

    private long unsent;

    private boolean writing;
    private boolean corked;
    private boolean closing;
    private @Nullable Throwable failure;
    private int waiters;
    private int writes;
    private int watched;
    private boolean watching;

    FrameWriter(WebSocketSession session, boolean takeover) {
        this.session = session;
        queue = new SendQueue(session.info().role(), takeover);
    }

    /** Does the order of messages decide how they are compressed? */
    boolean hasHistory() {
        return queue.hasHistory();
    }

    /**
     * Queues a message.
     *
     * @return why not; null if it is queued
     */
    synchronized @Nullable Throwable add(Outgoing message) {
        Throwable refused = refusal();
        if (refused == null) {
            queue.addMessage(message);
            unsent += message.size;
        }
        return refused;
    }

    /** Why nothing can be queued now; null if it can. */
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
     * Queues a part of a message, and with the first the message.
     *
     * @return why not; null if it is queued
     */
    synchronized @Nullable Throwable addPart(Outgoing message, boolean first, Outgoing part, boolean last) {
        OutgoingQueue parts = message.parts;
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

    /** Queues a ping, or a pong that nobody asked for. */
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

    /** Queues the close frame: nothing can be sent after it. */
    synchronized void addClose(Outgoing frame) {
        if (!closing) {
            closing = true;
            queue.addClose(frame);
            corked = false;
            notifyAll();
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

    /** Blocks until there is room; false if the time is up before. */
    synchronized boolean awaitRoom(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        waiters++;
        try {
            while (!closing && unsent > session.options().get(WebSocketOptions.SEND_BUFFER_LIMIT)) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
        } finally {
            waiters--;
        }
    }

    /** Writes what there is, unless a write is under way. */
    void pump() {
        Payload due = null;
        Throwable failed = null;
        synchronized (this) {
            if (writing || failure != null || queue.isEmpty()) {
                return;
            }
            try {
                due = take();
            } catch (RuntimeException | Error bad) {
                failed = bad;
            }
            if (failed == null && due == null) {
                return;
            }
            writing = true;
            writes++;
        }
        if (due != null) {
            write(due);
        } else {
            done(failed);
        }
    }

    /** Under the lock: what leaves with the next write; null if nothing can. Whatever is thrown, {@link #sent} has what was taken whole. */
    private @Nullable Payload take() {
        boolean held = corked && unsent < WriteBatch.MOST_BYTES;
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

    /** Whatever is thrown, the write ends, and what was to leave with it is told. */
    private void write(Payload due) {
        try {
            if (session.writesBlock()) {
                watch();
            }
            session.write(due, this);
            watchUnlessDone();
        } catch (RuntimeException | Error failed) {
            done(failed);
        }
    }

    /** Most writes are over at once, and this thread knows. What others have changed meanwhile they watch themselves. */
    private void watchUnlessDone() {
        if (writing) {
            watch();
        }
    }

    /** A write that was not over at once may be one to a peer that does not read. */
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

    /** The write under way has ended. */
    @Override
    public void done(@Nullable Throwable thrown) {
        Outgoing ended;
        boolean more;
        synchronized (this) {
            ended = sent;
            sent = null;
            writing = false;
            settle(ended);
            more = !queue.isEmpty();
        }
        if (thrown != null) {
            session.abort(thrown);
        }
        tell(ended, thrown);
        if (thrown == null) {
            session.written();
            if (more) {
                pump();
            }
        }
    }

    /** Under the lock: these frames wait no more. */
    private void settle(@Nullable Outgoing first) {
        for (Outgoing frame = first; frame != null; frame = frame.next) {
            unsent -= frame.size;
        }
        if (waiters > 0) {
            notifyAll();
        }
    }

    private void tell(@Nullable Outgoing first, @Nullable Throwable thrown) {
        for (Outgoing frame = first; frame != null; frame = frame.next) {
            try {
                frame.completion.done(thrown);
            } catch (RuntimeException | Error bad) {
                WebSocketMessages.LOG.completionFailed(session.printablePath(), bad);
            }
        }
    }

    /** The connection is gone: tells everyone who waits. */
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
            notifyAll();
        }
        tell(left, cause);
    }
}
