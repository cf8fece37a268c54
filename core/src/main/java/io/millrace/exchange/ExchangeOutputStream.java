package io.millrace.exchange;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A response's body as a blocking stream that seldom blocks.
 *
 * <p>What is written is copied into pooled chunks. Until {@link #commitSize()} bytes are there nothing is sent; if the
 * stream is closed before that, head and body leave in one piece with their length announced. Later on 48 KiB are
 * collected for a write. While a write is under way because the client is slow, more is taken up to a limit (1 MiB unless
 * configured) as long as the server's pool lends chunks; only then does the writer wait. {@link #close} never waits: the
 * rest is sent when the client takes it, and no thread is held for that.
 *
 * <p><b>Threads.</b> Written by the owner of the exchange, one thread at a time; a stray writer gets an exception but can
 * do no harm. Writes begin on the writer's thread; if the socket is full, they end on the connection's thread, which then
 * begins the next for a few rounds and leaves the rest to a worker, so that one fast client does not occupy it. Works on
 * virtual threads: nothing waits inside a monitor.
 */
public final class ExchangeOutputStream extends OutputStream {

    /** Collected before the response is committed of itself, unless that is set. */
    private static final int COMMIT = 32 * 1024;

    /** Collected before a write begins, once the response is committed: what {@link OutputQueue} sends at once. */
    private static final int GATHER = 48 * 1024;

    /**
     * The most that stays unsent of a response that has outgrown the limit: its writer has to wait in any case, and memory
     * that is still in the processor's cache is sent in two thirds of the time.
     */
    private static final int STREAMING_WINDOW = 256 * 1024;

    /** Collected at most before a write begins, when one array brings so much at once. */
    private static final int GATHER_MOST = 128 * 1024;

    /** Without blocking: less unsent than this and more may be written. */
    private static final int READY_BELOW = 64 * 1024;

    /** Of a chunk outside the pool, when that has none left. */
    private static final int SPARE_SIZE = 8 * 1024;

    /** Writes that a connection's thread begins in a row for one response. */
    private static final int ROUNDS = 16;

    /** What the stream is good for. */
    private enum Phase {
        OPEN,
        /** No more writing; the rest, and the end, are still to be sent. */
        CLOSED,
        /** The end was sent, or never will be. */
        OVER
    }

    private final Exchange exchange;
    private final Executor workers;
    private final BufferPool pool;
    private final int limit;

    // all below: guarded by this
    private final OutputQueue queue = new OutputQueue();
    private Phase phase = Phase.OPEN;
    private int commitSize = COMMIT;
    private long written;
    private boolean used;
    private boolean flushing;
    /** The pool had nothing left at the last try. */
    private boolean starved;

    private @Nullable Batch underWay;
    private @Nullable ClientClosedException failure;
    /** Opened when there is room again; null if nobody waits. */
    private @Nullable CountDownLatch room;
    /** Non-null: never wait, tell this instead. */
    private @Nullable Runnable onWritable;

    private boolean callbackOwed;

    ExchangeOutputStream(Exchange exchange, Executor workers, int limit) {
        this.exchange = exchange;
        this.workers = workers;
        this.limit = limit;
        pool = exchange.buffers();
    }

    /** How many bytes are collected before the response is committed of itself; 32 KiB unless set. */
    public synchronized int commitSize() {
        return commitSize;
    }

    /**
     * Sets it (the servlet API's buffer size). Less than 32 KiB costs small responses their announced length.
     *
     * @throws IllegalStateException if the response is committed
     */
    public synchronized void commitSize(int bytes) {
        requireUncommitted();
        commitSize = bytes;
    }

    /** Bytes written so far, sent or not; forgotten ones do not count. */
    public synchronized long written() {
        return written;
    }

    @Override
    public void write(int value) throws IOException {
        synchronized (this) {
            requireOpen();
            if (queue.put((byte) value)) {
                written++;
                return;
            }
        }
        write(new byte[] {(byte) value}, 0, 1);
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
            boolean startable;
            int taken;
            synchronized (this) {
                requireOpen();
                used = true;
                taken = fill(bytes, at, end - at);
                written += taken;
                at += taken;
                startable = isStartable();
            }
            if (startable) {
                pump(Integer.MAX_VALUE);
            }
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
        boolean startable;
        synchronized (this) {
            requireOpen();
            used = true;
            queue.add(region, completion);
            written += region.remaining();
            startable = isStartable();
        }
        if (startable) {
            pump(Integer.MAX_VALUE);
        }
    }

    /** Commits the response and gets all that was written under way. Waits for nothing. */
    @Override
    public void flush() throws IOException {
        synchronized (this) {
            requireOpen();
            used = true;
            flushing = !queue.isEmpty() || !exchange.isCommitted();
        }
        pump(Integer.MAX_VALUE);
    }

    /**
     * Forgets what was written.
     *
     * @throws IllegalStateException if the response is committed
     */
    public void reset() {
        List<Piece> dropped;
        synchronized (this) {
            requireUncommitted();
            dropped = queue.clear();
            written = 0;
        }
        Batch.tell(dropped, new IOException("the response was reset"));
    }

    /** Ends the body. What is unsent follows by itself; waits for nothing. Idempotent. */
    @Override
    public void close() {
        synchronized (this) {
            if (phase != Phase.OPEN) {
                return;
            }
            phase = Phase.CLOSED;
            used = true;
            if (!exchange.isCommitted()) {
                exchange.announce(written);
            }
        }
        pump(Integer.MAX_VALUE);
    }

    /** True after {@link #close}, and when the exchange is over. */
    public synchronized boolean isClosed() {
        return phase != Phase.OPEN;
    }

    /** Why nothing can be sent any more; null while all is well. */
    public synchronized @Nullable Throwable failure() {
        return failure;
    }

    /**
     * Makes the stream non-blocking for good: no write waits from now on, whatever its size. The callback runs once
     * whenever {@link #isReady} has returned false and turns true, or writing has failed, on a thread that must not block.
     */
    public synchronized void onWritable(Runnable callback) {
        onWritable = callback;
    }

    /** True if little enough is unsent that more may be written; true too after a failure, which the next write throws. */
    public synchronized boolean isReady() {
        boolean ready = hasCalmed();
        callbackOwed = !ready;
        return ready;
    }

    /** Ends the body if it was written here. False if not: then its end is the caller's affair. */
    boolean closeIfUsed() {
        synchronized (this) {
            if (!used) {
                phase = Phase.OVER;
                return false;
            }
        }
        close();
        return true;
    }

    /** The exchange is over, or its response was replaced: drops what is unsent. Any thread. */
    void discard() {
        List<Piece> dropped;
        CountDownLatch opened;
        synchronized (this) {
            phase = Phase.OVER;
            dropped = queue.clear();
            opened = room;
            room = null;
        }
        Batch.tell(dropped, new ClientClosedException(null));
        open(opened);
    }

    /** A batch was sent, or was not. On the thread that found out; from within {@link #pump} if that was quick. */
    void sent(Batch batch, @Nullable Throwable thrown) {
        List<Piece> dropped = List.of();
        CountDownLatch opened = null;
        boolean owed;
        boolean goOn;
        synchronized (this) {
            underWay = null;
            if (thrown != null && failure == null) {
                failure = thrown instanceof ClientClosedException gone ? gone : new ClientClosedException(thrown);
                phase = Phase.OVER;
                dropped = queue.clear();
            }
            if (hasRoom()) {
                opened = room;
                room = null;
            }
            owed = callbackOwed;
            goOn = batch.progress == Batch.Progress.PENDING;
            batch.progress = Batch.Progress.ENDED;
        }
        Batch.tell(dropped, thrown);
        open(opened);
        if (goOn) {
            pump(ROUNDS);
        }
        if (owed) {
            tellWritable();
        }
    }

    private void tellWritable() {
        Runnable callback;
        synchronized (this) {
            if (!callbackOwed || !hasCalmed()) {
                return;
            }
            callbackOwed = false;
            callback = onWritable;
        }
        if (callback != null) {
            callback.run();
        }
    }

    /** Begins writes as long as there is something to write and the last one ended at once. */
    private void pump(int rounds) {
        for (int i = 0; i < rounds; i++) {
            Batch batch;
            synchronized (this) {
                if (!isStartable()) {
                    return;
                }
                batch = next();
                underWay = batch;
            }
            write(batch);
            if (batch.last) {
                return;
            }
            synchronized (this) {
                if (batch.progress == Batch.Progress.STARTING) {
                    batch.progress = Batch.Progress.PENDING;
                    return;
                }
            }
        }
        handOver();
    }

    private void write(Batch batch) {
        try {
            exchange.output().write(batch.payload(), batch.last, batch);
        } catch (RuntimeException | Error refused) {
            batch.done(refused);
            throw refused;
        }
    }

    /** Others wait for this thread: a worker goes on. */
    private void handOver() {
        synchronized (this) {
            if (!isStartable()) {
                return;
            }
        }
        try {
            workers.execute(() -> pump(Integer.MAX_VALUE));
        } catch (RejectedExecutionException stopping) {
            pump(Integer.MAX_VALUE);
        }
    }

    // below: under the monitor, but for awaitRoom and open

    private Batch next() {
        List<Piece> pieces = queue.take();
        boolean emptied = queue.isEmpty();
        boolean last = phase == Phase.CLOSED && emptied;
        if (last) {
            phase = Phase.OVER;
        }
        if (emptied) {
            flushing = false;
        }
        return new Batch(this, pieces, last);
    }

    private boolean isStartable() {
        if (underWay != null || phase == Phase.OVER) {
            return false;
        }
        if (phase == Phase.CLOSED || flushing) {
            return true;
        }
        int weight = queue.weight();
        int threshold = exchange.isCommitted() ? GATHER : commitSize;
        return weight > 0 && (weight >= threshold || starved || room != null);
    }

    /** Copies what there is room for. */
    private int fill(byte[] bytes, int offset, int length) {
        int taken = 0;
        starved = false;
        while (taken < length && (queue.hasSpace() || extend())) {
            taken += queue.copy(bytes, offset + taken, length - taken);
        }
        return taken;
    }

    private boolean extend() {
        boolean nonBlocking = onWritable != null;
        int weight = queue.weight();
        if (!nonBlocking && isFull(weight)) {
            return false;
        }
        Chunk chunk = pool.tryLease();
        if (chunk == null) {
            boolean mayWait = !nonBlocking && unsent() > 0 && weight >= promised();
            if (mayWait) {
                starved = true;
                return false;
            }
            chunk = Chunk.wrap(ByteBuffer.allocate(SPARE_SIZE));
        }
        queue.extend(chunk);
        return true;
    }

    /** True if what is there should be sent, or at least begun, before more is taken. */
    private boolean isFull(int weight) {
        if (underWay == null) {
            return weight >= GATHER_MOST && weight >= promised();
        }
        return unsent() >= window();
    }

    /** So much may be unsent. */
    private int window() {
        return written > limit ? Math.min(limit, STREAMING_WINDOW) : limit;
    }

    /** So much must be taken without committing the response. */
    private int promised() {
        return exchange.isCommitted() ? 0 : commitSize;
    }

    private int unsent() {
        Batch batch = underWay;
        return queue.weight() + (batch == null ? 0 : batch.weight);
    }

    /** Half empty: enough for a waiting writer to be worth waking. */
    private boolean hasRoom() {
        return underWay == null && (starved || queue.weight() <= window() / 2) || phase == Phase.OVER;
    }

    private boolean hasCalmed() {
        return failure != null || underWay == null || unsent() < READY_BELOW;
    }

    private void awaitRoom() throws IOException {
        CountDownLatch latch;
        synchronized (this) {
            if (underWay == null || phase == Phase.OVER) {
                return;
            }
            latch = room;
            if (latch == null) {
                latch = new CountDownLatch(1);
                room = latch;
            }
        }
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while the client was slow to take the response")
                    .initCause(interrupted);
        }
    }

    private static void open(@Nullable CountDownLatch latch) {
        if (latch != null) {
            latch.countDown();
        }
    }

    private void requireOpen() throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (phase != Phase.OPEN) {
            throw new IOException("the response is closed; nothing can be written any more");
        }
    }

    private void requireUncommitted() {
        if (exchange.isCommitted()) {
            throw new IllegalStateException("the response is committed");
        }
    }
}
