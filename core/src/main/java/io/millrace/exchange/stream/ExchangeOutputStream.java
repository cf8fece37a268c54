package io.millrace.exchange.stream;

import io.millrace.exchange.BodyCollector;
import io.millrace.exchange.ClientClosedException;
import io.millrace.exchange.ExchangeChannel;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.ResponseSink;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.workers.Workers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response as a stream that seldom blocks: the only place where the application's bytes are buffered.
 *
 * <p>Bytes are copied once, into pooled chunks that leave room for the response's head. Nothing is sent before {@link
 * #commitSize()} bytes have been written; if the stream is closed before that, head and body are sent in one piece, with
 * a Content-Length. Later, 48 KiB are collected for each write. While a write is pending because the client is slow,
 * more bytes are accepted up to a limit (1 MiB by default) as long as the server's pool has chunks; only then does the
 * writing thread block. {@link #close} never blocks: the rest is sent when the client receives it, and holds no thread.
 *
 * <p><b>Threads.</b> Written by the owner of the exchange, one thread at a time; a second writer cannot corrupt the
 * state. Sends one write at a time, see {@link OutputState}: a write begins on the writing thread; if it stays pending,
 * the connection's thread completes it, begins the next ones, up to 16 in a row, and leaves the rest to a worker, so
 * that one fast client does not occupy it. One lock guards the state; it is not held while sending or calling others.
 * Suitable for virtual threads: nothing blocks inside a monitor.
 */
public final class ExchangeOutputStream extends OutputStream implements BodyCollector {

    /** The number of writes that a connection's thread starts in a row for one response. */
    private static final int ROUNDS = 16;

    private final ResponseSink sink;
    private final Workers workers;

    /** Also the lock for everything below. Not the stream itself, which a writer may lock, as OutputStreamWriter does. */
    private final OutputQueue queue;

    private @Nullable ClientClosedException failure;

    private ExchangeOutputStream(ResponseSink sink, ExchangeChannel channel) {
        this.sink = sink;
        workers = channel.workers();
        queue = new OutputQueue(this, sink, channel.buffers(), channel.outputLimit());
    }

    /**
     * The stream over {@link HttpExchange#output}. Returns the same stream every time. Closed, which completes the
     * response, when the last handler has returned.
     *
     * @throws IllegalStateException if the response has another collector
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

    /** The number of bytes that are buffered before the response is committed; 32 KiB by default. */
    public int commitSize() {
        synchronized (queue) {
            return queue.commitSize();
        }
    }

    /**
     * Sets the number of bytes that are buffered before the response is committed (the Servlet API's buffer size). With
     * less than 32 KiB, responses that would fit into the default are sent without a Content-Length.
     *
     * @throws IllegalStateException if the response is committed
     */
    public void commitSize(int bytes) {
        synchronized (queue) {
            requireUncommitted();
            queue.commitSize(bytes);
        }
    }

    /** The number of bytes written so far, sent or not, except those that {@link #reset} discarded. */
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
     * Writes the bytes; blocks while too many are unsent.
     *
     * @throws ClientClosedException if the client has closed the connection
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
     * Sends a region of a file after everything written before, by the operating system where possible. Does not block.
     * It is sent with what follows, or at the next {@link #flush} or {@link #close}.
     *
     * @param completion called in any case; the file may be closed then
     * @throws IOException as by {@link #write(byte[], int, int)}; the completion is not called then
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

    /** Commits the response and starts sending everything written so far. Does not block. */
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
     * Discards everything written so far.
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

    /** Ends the body. Does not block: unsent bytes are sent as the client receives them. Further calls do nothing. */
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

    /** Why nothing can be sent any more; null if there is no failure. */
    public @Nullable Throwable failure() {
        synchronized (queue) {
            return failure;
        }
    }

    /**
     * Makes the stream permanently non-blocking: no write blocks from now on, whatever its size. After {@link #isReady}
     * has returned false, the callback is called once when it becomes true or writing has failed, on a thread that must
     * not block.
     */
    public void onWritable(Runnable callback) {
        synchronized (queue) {
            queue.onWritable(callback);
        }
    }

    /**
     * Whether more may be written: the unsent bytes are below the limit, or writing has failed, which the next write
     * throws.
     */
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

    /** Starts writes, at most this many, as long as there is something to send and the previous one completed immediately. */
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
     * Passes the work to a worker, because other connections wait for this thread. The rest of a response that is
     * completely written is at most the outputLimit, and is sent from here, since all workers may be busy for a long
     * time.
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
                // continue on this thread
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

    /**
     * Called when a write has completed or failed, on the thread that completed it; inside {@link #send} if it completed
     * immediately.
     */
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
            throw new IOException("cannot write to the response: it is closed");
        }
    }

    private void requireUncommitted() {
        if (sink.isCommitted()) {
            throw new IllegalStateException("the response is already committed");
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
        workers.beginWait(); // threads that wait for clients must not be missing for others
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException)
                    new InterruptedIOException("interrupted while waiting for a slow client to receive the response")
                            .initCause(interrupted);
        } finally {
            workers.endWait();
        }
    }
}
