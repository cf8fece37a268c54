package io.millrace.exchange.stream;

import io.millrace.exchange.BodyCollector;
import io.millrace.exchange.ClientClosedException;
import io.millrace.exchange.ExchangeChannel;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.ResponseSink;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A response's body as a blocking stream that seldom blocks: the one place where an application's bytes are collected.
 *
 * <p>What is written is copied once, into pooled chunks that have room in front for the response's head. Until {@link
 * #commitSize()} bytes are there nothing is sent; if the stream is closed before that, head and body leave in one piece with
 * their length announced. Later on 48 KiB are collected for a write. While a write is pending because the client is slow, more
 * is taken up to a limit (1 MiB unless configured) as long as the server's pool lends chunks; only then does the writer wait.
 * {@link #close} never waits: the rest is sent when the client takes it, and no thread is held for that.
 *
 * <p><b>Threads.</b> Written by the owner of the exchange, one thread at a time; a stray writer gets an exception but can do no
 * harm. Sent one write at a time, see {@link OutputState}: a write begins on the writer's thread; if it stays pending, the
 * connection's thread completes it, begins the next ones for a few rounds, and leaves the rest to a worker, so that one fast
 * client does not occupy it. One lock guards the state; it is not held while anything is sent or notified. Works on virtual
 * threads: nothing waits inside a monitor.
 */
public final class ExchangeOutputStream extends OutputStream implements BodyCollector {

    /** Writes that a connection's thread begins in a row for one response. */
    private static final int ROUNDS = 16;

    private final ResponseSink sink;
    private final Executor workers;

    /** Also the lock for all below; not the stream itself, which a writer may lock, as OutputStreamWriter does. */
    private final OutputQueue queue;

    private @Nullable ClientClosedException failure;

    private ExchangeOutputStream(ResponseSink sink, ExchangeChannel channel) {
        this.sink = sink;
        workers = channel.workers();
        queue = new OutputQueue(this, sink, channel.buffers(), channel.outputLimit());
    }

    /**
     * The stream over {@link HttpExchange#output}: the same one every time. Closed, and so completed, when the last handler has
     * returned.
     *
     * @throws IllegalStateException if something else collects the response
     */
    public static ExchangeOutputStream of(HttpExchange exchange) {
        ResponseSink sink = exchange.output();
        if (sink.collector() instanceof ExchangeOutputStream known) {
            return known;
        }
        ExchangeOutputStream made = new ExchangeOutputStream(sink, exchange.channel());
        sink.collect(made);
        return made;
    }

    /** How many bytes are collected before the response is committed of itself; 32 KiB unless set. */
    public int commitSize() {
        synchronized (queue) {
            return queue.commitSize();
        }
    }

    /**
     * Sets it (the servlet API's buffer size). Less than 32 KiB costs small responses their announced length.
     *
     * @throws IllegalStateException if the response is committed
     */
    public void commitSize(int bytes) {
        synchronized (queue) {
            requireUncommitted();
            queue.commitSize(bytes);
        }
    }

    /** Bytes written so far, sent or not; forgotten ones do not count. */
    public long written() {
        synchronized (queue) {
            return queue.written();
        }
    }

    @Override
    public void write(int value) throws IOException {
        boolean added;
        BodyWrite begun;
        synchronized (queue) {
            requireOpen();
            added = queue.put((byte) value);
            begun = added ? queue.next() : null;
        }
        if (added) {
            send(begun, Integer.MAX_VALUE);
        } else {
            write(new byte[] {(byte) value}, 0, 1);
        }
    }

    /**
     * Takes the bytes, and waits if too many are unsent.
     *
     * @throws ClientClosedException if the client is gone
     * @throws IOException if the stream is closed
     */
    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int at = offset;
        int end = offset + length;
        while (true) {
            int taken;
            BodyWrite begun;
            synchronized (queue) {
                requireOpen();
                taken = queue.fill(bytes, at, end - at, queue.isBlocking());
                at += taken;
                begun = queue.next();
            }
            send(begun, Integer.MAX_VALUE);
            if (at == end) {
                return;
            }
            if (taken == 0) {
                awaitRoom();
            }
        }
    }

    /**
     * Sends a piece of a file, by the kernel where possible, after all that was written before. Does not wait. It is sent
     * with what follows, or at the next {@link #flush} or {@link #close}.
     *
     * @param completion runs in any case; the file may be closed then
     * @throws IOException as with {@link #write(byte[], int, int)}; the completion does not run then
     */
    public void send(Payload.FileRegion region, Completion completion) throws IOException {
        BodyWrite begun;
        synchronized (queue) {
            requireOpen();
            queue.add(region, completion);
            begun = queue.next();
        }
        send(begun, Integer.MAX_VALUE);
    }

    /** Commits the response and gets all that was written under way. Waits for nothing. */
    @Override
    public void flush() throws IOException {
        BodyWrite begun;
        synchronized (queue) {
            requireOpen();
            queue.flush();
            begun = queue.next();
        }
        send(begun, Integer.MAX_VALUE);
    }

    /**
     * Forgets what was written.
     *
     * @throws IllegalStateException if the response is committed
     */
    public void reset() {
        BodyWrite dropped;
        synchronized (queue) {
            requireUncommitted();
            dropped = queue.reset();
        }
        if (dropped != null) {
            BodyWrite.drop(dropped, new IOException("the response was reset"));
        }
    }

    /** Ends the body. What is unsent follows by itself; waits for nothing. Idempotent. */
    @Override
    public void close() {
        close(true);
    }

    @Override
    public boolean closeIfUsed() {
        return close(false);
    }

    private boolean close(boolean evenIfUnused) {
        BodyWrite begun = null;
        synchronized (queue) {
            if (!evenIfUnused && !queue.isUsed()) {
                queue.stop();
                return false;
            }
            if (queue.isOpen()) {
                queue.close();
                begun = queue.next();
            }
        }
        send(begun, Integer.MAX_VALUE);
        return true;
    }

    @Override
    public boolean isClosed() {
        synchronized (queue) {
            return !queue.isOpen();
        }
    }

    /** Why nothing can be sent any more; null while all is well. */
    public @Nullable Throwable failure() {
        synchronized (queue) {
            return failure;
        }
    }

    /**
     * Makes the stream non-blocking for good: no write waits from now on, whatever its size. The callback runs once
     * whenever {@link #isReady} has returned false and turns true, or writing has failed, on a thread that must not block.
     */
    public void onWritable(Runnable callback) {
        synchronized (queue) {
            queue.onWritable(callback);
        }
    }

    /** True if little enough is unsent that more may be written; true too after a failure, which the next write throws. */
    public boolean isReady() {
        synchronized (queue) {
            return queue.isReady();
        }
    }

    @Override
    public void discard() {
        BodyWrite dropped;
        CountDownLatch opened;
        synchronized (queue) {
            dropped = queue.stop();
            opened = queue.takeLatch();
        }
        if (dropped != null) { // allocating an exception is expensive, and usually nothing is pending
            BodyWrite.drop(dropped, new ClientClosedException(null));
        }
        if (opened != null) {
            opened.countDown();
        }
    }

    // ---- sending: without the lock

    /** Begins writes as long as there is something to send and the last one completed at once, so many at most. */
    private void send(@Nullable BodyWrite begun, int rounds) {
        BodyWrite write = begun;
        for (int i = 1; write != null; i++) {
            start(write);
            if (write.last) {
                return;
            }
            synchronized (queue) {
                if (queue.isPending(write)) {
                    return;
                }
                write = i < rounds ? queue.next() : null;
            }
            if (i == rounds) {
                handOver();
            }
        }
    }

    private void start(BodyWrite write) {
        try {
            sink.write(write.payload(), write.last, write);
        } catch (RuntimeException | Error refused) {
            write.done(refused);
            throw refused;
        }
    }

    /**
     * Other connections wait for this thread: a worker continues. But the rest of a response that is completely written is no more
     * than the outputLimit, and is sent from here: all workers may be busy for long.
     */
    private void handOver() {
        boolean toWorker;
        synchronized (queue) {
            toWorker = queue.isStartable() && !queue.isClosed();
        }
        if (toWorker) {
            try {
                workers.execute(this::sendOn);
                return;
            } catch (RejectedExecutionException | OutOfMemoryError noWorker) {
                // this thread it is
            }
        }
        sendOn();
    }

    private void sendOn() {
        BodyWrite begun;
        synchronized (queue) {
            begun = queue.next();
        }
        send(begun, Integer.MAX_VALUE);
    }

    /** A write was sent, or was not. On the thread that found out; from within {@link #send} if that was quick. */
    void sent(@Nullable Throwable thrown) {
        BodyWrite dropped = null;
        BodyWrite begun;
        CountDownLatch opened;
        boolean callback;
        synchronized (queue) {
            boolean pending = queue.sent();
            if (thrown != null && failure == null) {
                failure = thrown instanceof ClientClosedException gone ? gone : new ClientClosedException(thrown);
                dropped = queue.stop();
            }
            opened = queue.takeLatch();
            begun = pending ? queue.next() : null;
            callback = !queue.isBlocking();
        }
        try {
            BodyWrite.drop(dropped, thrown);
        } finally {
            if (opened != null) {
                opened.countDown();
            }
        }
        try {
            send(begun, ROUNDS);
        } finally {
            if (callback) {
                notifyWritable();
            }
        }
    }

    private void notifyWritable() {
        Runnable callback;
        synchronized (queue) {
            callback = queue.takeCallback();
        }
        if (callback != null) {
            callback.run();
        }
    }

    private void requireOpen() throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (!queue.isOpen()) {
            throw new IOException("the response is closed; nothing can be written any more");
        }
    }

    private void requireUncommitted() {
        if (sink.isCommitted()) {
            throw new IllegalStateException("the response is committed");
        }
    }

    private void awaitRoom() throws IOException {
        CountDownLatch latch;
        synchronized (queue) {
            latch = queue.block();
        }
        if (latch == null) {
            return;
        }
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException)
                    new InterruptedIOException("interrupted while waiting for a slow client to receive the response")
                            .initCause(interrupted);
        }
    }
}
