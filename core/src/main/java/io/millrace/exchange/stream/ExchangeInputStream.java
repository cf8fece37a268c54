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
 * The body of a request as a blocking stream, or, with {@link #onReadable} and {@link #isReady}, as a non-blocking one.
 * A read blocks only if no byte is available.
 *
 * <p><b>Threads.</b> Read by the owner of the exchange, one thread at a time, platform or virtual: nothing blocks inside
 * a monitor. {@link #isReady} and {@link #available} may be called by several threads at the same time, typically by the
 * container and by a thread of the application: one of them reads from the source; for the others nothing is available
 * yet, and they are called back.
 */
public final class ExchangeInputStream extends InputStream {

    /** The known state of the next read. */
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

    /** A thread is reading from the source. */
    private boolean reading;

    /** A caller found nothing available meanwhile, and must be called back with the result of that read. */
    private boolean missed;

    /** True from a call of {@code awaitReadable} until the callback; the connection's thread owns the source meanwhile. */
    private boolean callbackOwed;

    /** Counted down by the source; kept if the waiting thread was interrupted, since a source is awaited once at a time. */
    private @Nullable CountDownLatch arrival;

    /**
     * A stream over any body.
     *
     * @param blocker how a thread waits for it
     */
    public ExchangeInputStream(BodySource source, Blocker blocker) {
        this.source = source;
        this.blocker = blocker;
    }

    /**
     * The stream over the body of the exchange. Returns the same stream every time, until the body is replaced. Closed
     * at the end of the exchange. Called by its owner.
     */
    public static ExchangeInputStream of(HttpExchange exchange) {
        BodySource body = exchange.input();
        ExchangeInputStream known = exchange.attribute(KEY);
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
     * Reads the available bytes; blocks if there are none.
     *
     * @throws io.millrace.protocol.ProtocolException if the body is malformed or too large
     * @throws IOException if the connection is broken, or the stream is closed
     * @throws IllegalStateException if the stream is non-blocking and nothing is available, or if another thread is
     *     reading
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

    /** The number of bytes that can be read without blocking, as far as known. */
    @Override
    public int available() throws IOException {
        supply(false);
        synchronized (this) {
            Chunk held = chunk;
            return held == null ? 0 : held.bytes().remaining();
        }
    }

    /**
     * Makes the stream permanently non-blocking: a read when nothing is available throws an {@link
     * IllegalStateException}. After {@link #isReady} has returned false, the callback is called once when bytes, the end
     * or a failure (which the next read throws) are available, on a thread that must not block.
     */
    public synchronized void onReadable(Runnable callback) {
        onReadable = callback;
    }

    /** Whether the next read does not block: bytes, the end or a failure are available. */
    public boolean isReady() {
        try {
            return supply(true) != Supply.NOTHING_YET;
        } catch (IOException keptBySource) {
            return true; // for the next read
        }
    }

    /** Whether the end was reached. */
    public synchronized boolean isFinished() {
        return finished;
    }

    /** Discards the bytes that were received but not read. The protocol handles those still to come. */
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
     * Makes a chunk available if possible. Never blocks.
     *
     * @param notify whether the caller must be called back otherwise, if there is a callback
     */
    private Supply supply(boolean notify) throws IOException {
        synchronized (this) {
            Supply known = known();
            if (known != null) {
                return known;
            }
            if (reading || callbackOwed) {
                missed |= notify;
                return Supply.NOTHING_YET;
            }
            reading = true;
        }
        return readSource(notify);
    }

    private @Nullable Supply known() throws IOException {
        if (closed) {
            throw new IOException("cannot read the request's body: the stream is closed");
        }
        if (finished) {
            return Supply.END;
        }
        return chunk == null ? null : Supply.BYTES;
    }

    /** Called by the one thread that has set {@link #reading}. */
    private Supply readSource(boolean notify) throws IOException {
        boolean available = true;
        try {
            Chunk next = readNonEmpty();
            available = next != null;
            return next == null ? Supply.NOTHING_YET : keep(next);
        } finally {
            finishRead(available, notify);
        }
    }

    private @Nullable Chunk readNonEmpty() throws IOException {
        Chunk next = source.read();
        while (next != null && !next.isEnd() && !next.bytes().hasRemaining()) {
            next.release();
            next = source.read();
        }
        return next;
    }

    /**
     * Admits other threads, and calls back those for which nothing was available: now if there is input, otherwise
     * later.
     */
    private void finishRead(boolean available, boolean notify) {
        Runnable callback;
        synchronized (this) {
            reading = false;
            boolean owed = onReadable != null && (notify && !available || missed);
            missed = false;
            callback = owed ? onReadable : null;
            callbackOwed = owed && !available;
        }
        if (callback != null && available) {
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
        throw new IOException("cannot read the request's body: another thread closed the stream");
    }

    private void await() throws IOException {
        synchronized (this) {
            if (onReadable != null) {
                throw new IllegalStateException(
                        "no input is available, and the stream is non-blocking; call isReady() before each read");
            }
            if (reading) {
                throw new IllegalStateException("another thread is reading the request's body");
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
                    new InterruptedIOException("interrupted while waiting for the client to send the request's body")
                            .initCause(interrupted);
        }
        arrival = null;
    }

    /** Called on the connection's thread, which owns the source meanwhile; keeps waiting after a spurious call. */
    private void arrived() {
        if (!isInputAvailable()) {
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

    /** A failure counts too: the source keeps it for the next read. */
    private boolean isInputAvailable() {
        try {
            synchronized (this) {
                if (known() != null) {
                    return true;
                }
            }
            Chunk next = readNonEmpty();
            return next != null && keep(next) != Supply.NOTHING_YET;
        } catch (IOException keptBySource) {
            return true;
        }
    }
}
