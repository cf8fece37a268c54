package io.millrace.websocket;

import io.millrace.io.Completion;
import io.millrace.io.Delays;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends frames: those of all threads one after the other, control frames before messages and between the parts of one, and
 * the close frame last. What is queued while a write is under way leaves with the next.
 *
 * <p><b>Threads.</b> Any. Whoever finds no write under way makes the next, without a lock; its completion makes the one after.
 */
final class FrameWriter implements Completion {

    /** Answers to pings that may wait to be sent. */
    private static final int MOST_PONGS = 16;

    private final WebSocketSession session;

    /** Of messages that refer to those before them; null otherwise. */
    private final @Nullable MessageDeflater history;

    // guarded by this
    private final OutgoingQueue messages = new OutgoingQueue();
    private @Nullable OutgoingQueue controls;
    private @Nullable OutgoingQueue pongs;
    private int waitingPongs;
    private @Nullable Outgoing close;

    /** Was begun in the last write, and has to be continued before anything else. */
    private @Nullable Outgoing unfinished;

    private @Nullable OutgoingQueue sent;
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
        history = takeover ? new MessageDeflater(true) : null;
    }

    /** Does the order of messages decide how they are compressed? */
    boolean hasHistory() {
        return history != null;
    }

    /**
     * Queues a message.
     *
     * @return why not; null if it is queued
     */
    synchronized @Nullable Throwable add(Outgoing message) {
        Throwable refused = refusal();
        if (refused == null) {
            messages.add(message);
            unsent += message.size;
        }
        return refused;
    }

    /** Why nothing can be queued now; null if it can. */
    synchronized @Nullable Throwable refusal() {
        long limit = session.options().sendBufferLimit();
        return closing ? ended() : unsent > limit ? new SendBufferFullException(unsent, limit) : null;
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
            messages.add(message);
        }
        return null;
    }

    /** Queues a ping, or a pong that nobody asked for. */
    synchronized @Nullable Throwable addControl(Outgoing frame) {
        Throwable refused = refusal();
        if (refused == null) {
            OutgoingQueue queue = controls;
            if (queue == null) {
                queue = new OutgoingQueue();
                controls = queue;
            }
            queue.add(frame);
            unsent += frame.size;
        }
        return refused;
    }

    /** Answers a ping. If too many answers wait, the newest replaces them all (RFC 6455, 5.5.3). */
    synchronized void answer(Outgoing frame) {
        if (closing) {
            return;
        }
        OutgoingQueue queue = pongs;
        if (queue == null || waitingPongs >= MOST_PONGS) {
            queue = new OutgoingQueue();
            pongs = queue;
            waitingPongs = 0;
        }
        queue.add(frame);
        waitingPongs++;
    }

    /** Queues the close frame: nothing can be sent after it. */
    synchronized void addClose(Outgoing frame) {
        if (!closing) {
            closing = true;
            close = frame;
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
            while (!closing && unsent > session.options().sendBufferLimit()) {
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
        WriteBatch batch = new WriteBatch();
        Throwable failed = null;
        synchronized (this) {
            if (writing || failure != null) {
                return;
            }
            try {
                fill(batch);
            } catch (RuntimeException | Error bad) {
                failed = bad;
            }
            if (failed == null && batch.isEmpty()) {
                return;
            }
            sent = batch.complete;
            writing = true;
            writes++;
        }
        if (failed == null) {
            write(batch);
        } else {
            done(failed);
        }
    }

    /** Whatever is thrown, the write ends, and what was to leave with it is told. */
    private void write(WriteBatch batch) {
        try {
            if (session.writesBlock()) {
                watch();
            }
            session.write(batch.payload(), this);
            watch();
        } catch (RuntimeException | Error failed) {
            done(failed);
        }
    }

    /** A write that was not over at once may be one to a peer that does not read. */
    private void watch() {
        long nanos = Delays.nanos(session.options().sendTimeout());
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
                    "the peer did not read for " + session.options().sendTimeout() + "; the option is sendTimeout"));
        } else {
            watch();
        }
    }

    /** Under the lock. */
    private void fill(WriteBatch batch) {
        Outgoing begun = unfinished;
        if (begun != null && !take(begun, batch)) {
            return;
        }
        unfinished = null;
        takeControls(batch);
        boolean blocked = corked && unsent < WriteBatch.MOST_BYTES;
        while (!blocked && !batch.isFull() && unfinished == null) {
            Outgoing first = messages.first();
            if (first == null || first.parts != null && !takeParts(first, first.parts, batch)) {
                break;
            }
            messages.poll();
            if (first.parts == null) {
                begin(first, batch);
            }
        }
        Outgoing last = close;
        if (last != null && unfinished == null && !batch.isFull() && isDrained()) {
            close = null;
            begin(last, batch);
        }
    }

    /** Nothing is left but perhaps a message whose parts do not come any more. */
    private boolean isDrained() {
        Outgoing first = messages.first();
        return first == null || first.parts != null && first.parts.isEmpty();
    }

    private void takeControls(WriteBatch batch) {
        pongs = taken(pongs, batch);
        waitingPongs = pongs == null ? 0 : waitingPongs;
        controls = taken(controls, batch);
    }

    /** What is left of a queue; null if nothing is. */
    private @Nullable OutgoingQueue taken(@Nullable OutgoingQueue queue, WriteBatch batch) {
        while (queue != null && unfinished == null && !batch.isFull()) {
            Outgoing frame = queue.poll();
            if (frame == null) {
                return null;
            }
            begin(frame, batch);
        }
        return queue;
    }

    /** Whatever is thrown, the frame is where {@link #fail} finds it. */
    private void begin(Outgoing frame, WriteBatch batch) {
        unfinished = frame;
        if (take(frame, batch)) {
            unfinished = null;
        }
    }

    /** True if the whole message has been taken. */
    private boolean takeParts(Outgoing message, OutgoingQueue parts, WriteBatch batch) {
        while (unfinished == null && !batch.isFull()) {
            Outgoing part = parts.poll();
            if (part == null) {
                return message.complete;
            }
            begin(part, batch);
        }
        return message.complete && parts.isEmpty();
    }

    /** True if all of the frame fits the batch. */
    private boolean take(Outgoing frame, WriteBatch batch) {
        ByteBuffer[] buffers = frame.buffers;
        if (buffers == null) {
            buffers = encode(frame);
            frame.buffers = buffers;
        }
        boolean whole = batch.add(buffers);
        if (whole) {
            batch.complete.add(frame);
        }
        return whole;
    }

    private ByteBuffer[] encode(Outgoing frame) {
        ByteBuffer payload = frame.payload;
        MessageDeflater deflater = history;
        if (payload == null || deflater == null) {
            throw new IllegalStateException("a frame without octets");
        }
        boolean last = (frame.flags & FrameEncoder.FIN) != 0;
        return FrameEncoder.encode(session.info().role(), frame.flags, deflater.compress(payload, last), true);
    }

    /** The write under way has ended. */
    @Override
    public void done(@Nullable Throwable thrown) {
        OutgoingQueue ended;
        synchronized (this) {
            ended = sent;
            sent = null;
            writing = false;
        }
        if (thrown != null) {
            session.abort(thrown);
        }
        settle(ended, thrown);
        if (thrown == null) {
            session.written();
            pump();
        }
    }

    private void settle(@Nullable OutgoingQueue ended, @Nullable Throwable thrown) {
        if (ended == null) {
            return;
        }
        for (Outgoing frame = ended.poll(); frame != null; frame = ended.poll()) {
            settled(frame.size);
            tell(frame.completion, thrown);
        }
    }

    private synchronized void settled(long size) {
        unsent -= size;
        if (waiters > 0) {
            notifyAll();
        }
    }

    private void tell(Completion completion, @Nullable Throwable thrown) {
        try {
            completion.done(thrown);
        } catch (RuntimeException | Error bad) {
            session.completionFailed(bad);
        }
    }

    /** The connection is gone: tells everyone who waits. */
    void fail(Throwable cause) {
        OutgoingQueue all = new OutgoingQueue();
        synchronized (this) {
            if (failure != null) {
                return;
            }
            failure = cause;
            closing = true;
            collect(all);
            if (history != null) {
                history.close();
            }
            notifyAll();
        }
        settle(all, cause);
    }

    private void collect(OutgoingQueue all) {
        if (unfinished != null) {
            all.add(unfinished);
        }
        Outgoing next;
        while (controls != null && (next = controls.poll()) != null) {
            all.add(next);
        }
        while ((next = messages.poll()) != null) {
            Outgoing part;
            while (next.parts != null && (part = next.parts.poll()) != null) {
                all.add(part);
            }
            all.add(next);
        }
        if (close != null) {
            all.add(close);
        }
        unfinished = null;
        controls = null;
        pongs = null;
        close = null;
    }
}
