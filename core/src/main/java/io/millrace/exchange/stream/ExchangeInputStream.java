package io.millrace.exchange.stream;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.BodySource;
import io.millrace.exchange.HttpExchange;
import io.millrace.io.Blocker;
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
 * monitor. {@link #isReady} and {@link #available} may be asked by several at once, the container and an application's
 * thread above all: one of them reads from the source, and for the others nothing is available yet; they are called back.
 */
public final class ExchangeInputStream extends InputStream {

    /** What is known of the next read. */
    private enum Supply {
        BYTES,
        NOTHING_YET,
        END
    }

    private static final AttributeKey<ExchangeInputStream> KEY =
            AttributeKey.of("input stream", ExchangeInputStream.class);

    private final BodySource source;
    private final Blocker blocker;

    // guarded by this
    private @Nullable Chunk chunk;
    private boolean finished;
    private boolean closed;
    private @Nullable Runnable onReadable;

    /** A thread is inside the source. */
    private boolean reading;

    /** A caller was answered meanwhile that nothing is available, and is to be called back with what that thread finds. */
    private boolean missed;

    /** True from a request for {@code ready} until it comes: the connection's thread has the source meanwhile. */
    private boolean callbackOwed;

    /** Opened by the source; kept if the waiting thread was interrupted, since a source is awaited once at a time. */
    private @Nullable CountDownLatch arrival;

    /**
     * A stream over any body.
     *
     * @param blocker waits for it
     */
    public ExchangeInputStream(BodySource source, Blocker blocker) {
        this.source = source;
        this.blocker = blocker;
    }

    /**
     * The stream over the exchange's body: the same one every time, as long as the body is. Closed at the exchange's end. For
     * its owner.
     */
    public static ExchangeInputStream of(HttpExchange exchange) {
        BodySource body = exchange.input();
        ExchangeInputStream known = exchange.attributes().get(KEY);
        if (known != null) {
            if (known.source.equals(body)) {
                return known;
            }
            known.close();
        }
        ExchangeInputStream made =
                new ExchangeInputStream(body, exchange.channel().blocker());
        exchange.attributes().put(KEY, made);
        exchange.onEnd(outcome -> made.close());
        return made;
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
        try {
            return supply(true) != Supply.NOTHING_YET;
        } catch (IOException keptBySource) {
            return true; // for the next read
        }
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
     * @param asked the caller wants to be called back if there is nothing, where there is a callback
     */
    private Supply supply(boolean asked) throws IOException {
        synchronized (this) {
            Supply known = known();
            if (known != null) {
                return known;
            }
            if (reading || callbackOwed) {
                missed |= asked;
                return Supply.NOTHING_YET;
            }
            reading = true;
        }
        return readSource(asked);
    }

    private @Nullable Supply known() throws IOException {
        if (closed) {
            throw new IOException("the request's body is closed; nothing can be read any more");
        }
        if (finished) {
            return Supply.END;
        }
        return chunk == null ? null : Supply.BYTES;
    }

    /** By the one thread that {@link #reading} lets in. */
    private Supply readSource(boolean asked) throws IOException {
        boolean news = true;
        try {
            Chunk next = readOn();
            news = next != null;
            return next == null ? Supply.NOTHING_YET : keep(next);
        } finally {
            finishRead(news, asked);
        }
    }

    private @Nullable Chunk readOn() throws IOException {
        Chunk next = source.read();
        while (next != null && !next.isEnd() && !next.bytes().hasRemaining()) {
            next.release();
            next = source.read();
        }
        return next;
    }

    /** Lets others in, and calls back those that were answered that nothing is available: now if something is, otherwise later. */
    private void finishRead(boolean news, boolean asked) {
        Runnable callback;
        synchronized (this) {
            reading = false;
            boolean owed = onReadable != null && (asked && !news || missed);
            missed = false;
            callback = owed ? onReadable : null;
            callbackOwed = owed && !news;
        }
        if (callback != null && news) {
            callback.run();
        } else if (callback != null) {
            source.awaitReadable(this::arrived);
        }
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
        synchronized (this) {
            if (onReadable != null) {
                throw new IllegalStateException("nothing can be read without waiting; ask isReady() first");
            }
            if (reading) {
                throw new IllegalStateException("another thread reads the request's body at this moment");
            }
        }
        CountDownLatch latch = arrival;
        if (latch == null) {
            latch = new CountDownLatch(1);
            arrival = latch;
            source.awaitReadable(latch::countDown);
        }
        try {
            blocker.await(latch);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw (IOException)
                    new InterruptedIOException("interrupted while the client was slow to send").initCause(interrupted);
        }
        arrival = null;
    }

    /** There may be input, or not; then it keeps waiting. On the connection's thread, which has the source meanwhile. */
    private void arrived() {
        if (!hasNews()) {
            source.awaitReadable(this::arrived);
            return;
        }
        Runnable callback;
        synchronized (this) {
            callbackOwed = false;
            missed = false;
            callback = onReadable;
        }
        if (callback != null) {
            callback.run();
        }
    }

    /** A failure is news too: it is kept by the source, for the next read. */
    private boolean hasNews() {
        try {
            synchronized (this) {
                if (known() != null) {
                    return true;
                }
            }
            Chunk next = readOn();
            return next != null && keep(next) != Supply.NOTHING_YET;
        } catch (IOException keptBySource) {
            return true;
        }
    }
}
