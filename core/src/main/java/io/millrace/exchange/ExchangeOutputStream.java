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
 * do no harm. What was collected is sent by the {@link OutputPump}, on this and other threads. Works on virtual threads:
 * nothing waits inside a monitor.
 */
public final class ExchangeOutputStream extends OutputStream {

    /** Collected before the response is committed of itself, unless that is set. */
    private static final int COMMIT = 32 * 1024;

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

    private final Exchange exchange;
    private final BufferPool pool;
    private final int limit;

    /** Also the lock for all below. */
    private final OutputPump pump;

    private final OutputQueue queue;
    private long written;
    private boolean used;
    /** The pool had nothing left at the last try. */
    private boolean starved;
    /** Opened when there is room again; null if nobody waits. */
    private @Nullable CountDownLatch room;
    /** Non-null: never wait, tell this instead. */
    private @Nullable Runnable onWritable;

    private boolean callbackOwed;

    ExchangeOutputStream(Exchange exchange, Executor workers, int limit) {
        this.exchange = exchange;
        this.limit = limit;
        pool = exchange.buffers();
        pump = new OutputPump(exchange, workers, this, COMMIT);
        queue = pump.queue();
    }

    /** How many bytes are collected before the response is committed of itself; 32 KiB unless set. */
    public int commitSize() {
        synchronized (pump) {
            return pump.commitSize();
        }
    }

    /**
     * Sets it (the servlet API's buffer size). Less than 32 KiB costs small responses their announced length.
     *
     * @throws IllegalStateException if the response is committed
     */
    public void commitSize(int bytes) {
        synchronized (pump) {
            requireUncommitted();
            pump.commitSize(bytes);
        }
    }

    /** Bytes written so far, sent or not; forgotten ones do not count. */
    public long written() {
        synchronized (pump) {
            return written;
        }
    }

    @Override
    public void write(int value) throws IOException {
        synchronized (pump) {
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
            synchronized (pump) {
                requireOpen();
                used = true;
                taken = fill(bytes, at, end - at);
                written += taken;
                at += taken;
                startable = pump.isStartable();
            }
            if (startable) {
                pump.run();
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
        synchronized (pump) {
            requireOpen();
            used = true;
            queue.add(region, completion);
            written += region.remaining();
        }
        pump.run();
    }

    /** Commits the response and gets all that was written under way. Waits for nothing. */
    @Override
    public void flush() throws IOException {
        synchronized (pump) {
            requireOpen();
            used = true;
            pump.flush();
        }
        pump.run();
    }

    /**
     * Forgets what was written.
     *
     * @throws IllegalStateException if the response is committed
     */
    public void reset() {
        List<Piece> dropped;
        synchronized (pump) {
            requireUncommitted();
            dropped = queue.clear();
            written = 0;
        }
        Batch.tell(dropped, new IOException("the response was reset"));
    }

    /** Ends the body. What is unsent follows by itself; waits for nothing. Idempotent. */
    @Override
    public void close() {
        synchronized (pump) {
            if (!pump.isOpen()) {
                return;
            }
            pump.close();
            used = true;
            if (!exchange.isCommitted()) {
                exchange.announce(written);
            }
        }
        pump.run();
    }

    /** True after {@link #close}, and when the exchange is over. */
    public boolean isClosed() {
        synchronized (pump) {
            return !pump.isOpen();
        }
    }

    /** Why nothing can be sent any more; null while all is well. */
    public @Nullable Throwable failure() {
        synchronized (pump) {
            return pump.failure();
        }
    }

    /**
     * Makes the stream non-blocking for good: no write waits from now on, whatever its size. The callback runs once
     * whenever {@link #isReady} has returned false and turns true, or writing has failed, on a thread that must not block.
     */
    public void onWritable(Runnable callback) {
        synchronized (pump) {
            onWritable = callback;
        }
    }

    /** True if little enough is unsent that more may be written; true too after a failure, which the next write throws. */
    public boolean isReady() {
        synchronized (pump) {
            boolean ready = hasCalmed();
            callbackOwed = !ready;
            return ready;
        }
    }

    /** Ends the body if it was written here. False if not: then its end is the caller's affair. */
    boolean closeIfUsed() {
        synchronized (pump) {
            if (!used) {
                pump.stop();
                return false;
            }
        }
        close();
        return true;
    }

    /** The exchange is over, or its response was replaced: drops what is unsent. Any thread. */
    void discard() {
        List<Piece> dropped;
        synchronized (pump) {
            dropped = pump.stop();
        }
        if (!dropped.isEmpty()) { // an exception is dear, and mostly nothing is left
            Batch.tell(dropped, new ClientClosedException(null));
        }
        wakeWriter();
    }

    /** Something was sent, or never will be: lets a waiting writer go on if that made enough room. */
    void wakeWriter() {
        CountDownLatch opened;
        synchronized (pump) {
            opened = room;
            if (opened == null || !hasRoom()) {
                return;
            }
            room = null;
            pump.press(starved);
        }
        opened.countDown();
    }

    /** The same for a writer that does not wait. */
    void tellWritable() {
        Runnable callback;
        synchronized (pump) {
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

    // below: with the lock held, but for awaitRoom

    /** Copies what there is room for. */
    private int fill(byte[] bytes, int offset, int length) {
        int taken = 0;
        starved = false;
        while (taken < length && (queue.hasSpace() || extend())) {
            taken += queue.copy(bytes, offset + taken, length - taken);
        }
        pump.press(starved);
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
            boolean mayWait = !nonBlocking && pump.unsent() > 0 && weight >= promised();
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
        if (pump.isSending()) {
            return pump.unsent() >= window();
        }
        return weight >= GATHER_MOST && weight >= promised();
    }

    /** So much may be unsent. */
    private int window() {
        return written > limit ? Math.min(limit, STREAMING_WINDOW) : limit;
    }

    /** So much must be taken without committing the response. */
    private int promised() {
        return exchange.isCommitted() ? 0 : pump.commitSize();
    }

    /** Half empty: enough for a waiting writer to be worth waking. */
    private boolean hasRoom() {
        return !pump.isSending() && (starved || queue.weight() <= window() / 2) || pump.isOver();
    }

    private boolean hasCalmed() {
        return pump.failure() != null || !pump.isSending() || pump.unsent() < READY_BELOW;
    }

    private void awaitRoom() throws IOException {
        CountDownLatch latch;
        synchronized (pump) {
            if (!pump.isSending() || pump.isOver()) {
                return;
            }
            latch = room;
            if (latch == null) {
                latch = new CountDownLatch(1);
                room = latch;
            }
            pump.press(true);
        }
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while the client was slow to take the response")
                    .initCause(interrupted);
        }
    }

    private void requireOpen() throws IOException {
        IOException failure = pump.failure();
        if (failure != null) {
            throw failure;
        }
        if (!pump.isOpen()) {
            throw new IOException("the response is closed; nothing can be written any more");
        }
    }

    private void requireUncommitted() {
        if (exchange.isCommitted()) {
            throw new IllegalStateException("the response is committed");
        }
    }
}
