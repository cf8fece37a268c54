package io.millrace.exchange;

import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A response's body as a blocking stream that seldom blocks: it holds what the client does not take yet, up to a limit,
 * and only then makes its writer wait. Uncommitted and small, head and body leave in one piece when it is closed; the
 * exchange closes it when its last handler has returned.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class ExchangeOutputStream extends OutputStream {

    ExchangeOutputStream(HttpExchange exchange, int limit) {}

    /** How many bytes are collected before the response is committed of itself. */
    public int commitSize() {
        throw new UnsupportedOperationException("exchange");
    }

    /** Sets it (the servlet API's buffer size), while the response is uncommitted. */
    public void commitSize(int bytes) {
        throw new UnsupportedOperationException("exchange");
    }

    /** Bytes written so far, sent or not. */
    public long written() {
        throw new UnsupportedOperationException("exchange");
    }

    @Override
    public void write(int value) throws IOException {
        throw new UnsupportedOperationException("exchange");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        throw new UnsupportedOperationException("exchange");
    }

    /** Sends a piece of a file after all that was written before; never waits. The completion runs in any case. */
    public void send(Payload.FileRegion region, Completion completion) throws IOException {
        throw new UnsupportedOperationException("exchange");
    }

    /** Commits the response and gets everything written under way. Waits for nothing. */
    @Override
    public void flush() throws IOException {
        throw new UnsupportedOperationException("exchange");
    }

    /**
     * Forgets what was written.
     *
     * @throws IllegalStateException if the response is committed
     */
    public void reset() {
        throw new UnsupportedOperationException("exchange");
    }

    /** Ends the body. What is unsent follows by itself; waits for nothing. Idempotent. */
    @Override
    public void close() {
        throw new UnsupportedOperationException("exchange");
    }

    public boolean isClosed() {
        throw new UnsupportedOperationException("exchange");
    }

    /** Why nothing can be sent any more; null while all is well. */
    public @Nullable Throwable failure() {
        throw new UnsupportedOperationException("exchange");
    }

    /**
     * Makes the stream non-blocking for good: no write waits from now on, whatever its size. The callback runs once
     * whenever {@link #isReady} has returned false and turns true, or writing has failed, on a thread that must not block.
     */
    public void onWritable(Runnable callback) {
        throw new UnsupportedOperationException("exchange");
    }

    /** True if little enough is unsent that more may be written; true too after a failure, which the next write throws. */
    public boolean isReady() {
        throw new UnsupportedOperationException("exchange");
    }
}
