package io.millrace.exchange;

import io.millrace.io.Chunk;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A request's body as a blocking stream, and without blocking for those who ask {@link #isReady} first. Waits only when
 * nothing is there.
 *
 * <p><b>Threads.</b> Read by the owner of the exchange, one thread at a time, platform or virtual: nothing waits inside a
 * monitor.
 */
public final class ExchangeInputStream extends InputStream {

    /** What is known of the next read. */
    private enum Supply {
        BYTES,
        NOTHING_YET,
        END
    }

    private final BodySource source;

    // guarded by this
    private @Nullable Chunk chunk;
    private boolean finished;
    private boolean closed;
    private @Nullable Runnable onReadable;
    /** True from a request for {@code ready} until it comes: the connection's thread has the source meanwhile. */
    private boolean callbackOwed;

    /** Opened by the source; kept if the waiting thread was interrupted, since a source is awaited once at a time. */
    private @Nullable CountDownLatch arrival;

    ExchangeInputStream(BodySource source) {
        this.source = source;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /**
     * Takes what is there, and waits if nothing is.
     *
     * @throws io.millrace.protocol.ProtocolException if the body is malformed or too large
     * @throws IOException if the connection broke, or the stream is closed
     * @throws IllegalStateException if the stream was made non-blocking and nothing is there
     */
    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        while (true) {
            int taken = take(bytes, offset, length);
            if (taken > 0) {
                return taken;
            }
            Supply supply = supply(false);
            if (supply == Supply.END) {
                return -1;
            }
            if (supply == Supply.NOTHING_YET) {
                await();
            }
        }
    }

    /** Bytes that can be read now without waiting, as far as they are known. */
    @Override
    public int available() throws IOException {
        supply(false);
        synchronized (this) {
            Chunk held = chunk;
            return held == null ? 0 : held.bytes().remaining();
        }
    }

    /**
     * Makes the stream non-blocking for good: a read while nothing is there throws {@link IllegalStateException}. The
     * callback runs once whenever {@link #isReady} has returned false and there is something now (bytes, the end, or a
     * failure that the next read throws), on a thread that must not block.
     */
    public synchronized void onReadable(Runnable callback) {
        onReadable = callback;
    }

    /** True if the next read will not wait: bytes are there, or the end, or a failure. */
    public boolean isReady() {
        if (isCallbackOwed()) {
            return false;
        }
        if (hasNews(false)) {
            return true;
        }
        if (onReadable != null) {
            synchronized (this) {
                callbackOwed = true;
            }
            source.awaitReadable(this::arrived);
        }
        return false;
    }

    private synchronized boolean isCallbackOwed() {
        return callbackOwed;
    }

    /** True if the end was reached. */
    public synchronized boolean isFinished() {
        return finished;
    }

    /** Drops what was not read. What is still to come is the protocol's affair. */
    @Override
    public void close() {
        Chunk held;
        synchronized (this) {
            closed = true;
            held = chunk;
            chunk = null;
        }
        if (held != null) {
            held.release();
        }
    }

    private synchronized int take(byte[] bytes, int offset, int length) {
        Chunk held = chunk;
        if (held == null) {
            return 0;
        }
        int count = Math.min(length, held.bytes().remaining());
        held.bytes().get(bytes, offset, count);
        if (!held.bytes().hasRemaining()) {
            chunk = null;
            held.release();
        }
        return count;
    }

    /**
     * Has a chunk ready if there is one to be had. Never waits.
     *
     * @param arrived the connection's thread asks, to which the source belongs while a callback is owed
     */
    private Supply supply(boolean arrived) throws IOException {
        synchronized (this) {
            if (closed) {
                throw new IOException("the request's body is closed; nothing can be read any more");
            }
            if (finished) {
                return Supply.END;
            }
            if (chunk != null) {
                return Supply.BYTES;
            }
            if (callbackOwed && !arrived) {
                return Supply.NOTHING_YET;
            }
        }
        Chunk next = source.read();
        while (next != null && !next.isEnd() && !next.bytes().hasRemaining()) {
            next.release();
            next = source.read();
        }
        return next == null ? Supply.NOTHING_YET : keep(next);
    }

    private Supply keep(Chunk next) throws IOException {
        synchronized (this) {
            if (next.isEnd()) {
                finished = true;
                return Supply.END;
            }
            if (!closed) {
                chunk = next;
                return Supply.BYTES;
            }
        }
        next.release();
        throw new IOException("the request's body was closed while it was read");
    }

    private void await() throws IOException {
        if (onReadable != null) {
            throw new IllegalStateException("nothing can be read without waiting; ask isReady() first");
        }
        CountDownLatch latch = arrival;
        if (latch == null) {
            latch = new CountDownLatch(1);
            arrival = latch;
            source.awaitReadable(latch::countDown);
        }
        try {
            source.await(latch);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw (IOException)
                    new InterruptedIOException("interrupted while the client was slow to send").initCause(interrupted);
        }
        arrival = null;
    }

    /** True if reading would not wait. A failure is news too: it is kept by the source, for the next read. */
    private boolean hasNews(boolean arrived) {
        try {
            return supply(arrived) != Supply.NOTHING_YET;
        } catch (IOException keptBySource) {
            return true;
        }
    }

    /** There may be something, or not: then the wait goes on. On the connection's thread. */
    private void arrived() {
        if (!hasNews(true)) {
            source.awaitReadable(this::arrived);
            return;
        }
        Runnable callback;
        synchronized (this) {
            callbackOwed = false;
            callback = onReadable;
        }
        if (callback != null) {
            callback.run();
        }
    }
}
