package io.millrace.exchange;

import java.io.IOException;
import java.io.InputStream;

/**
 * A request's body as a blocking stream, and without blocking for those who ask {@link #isReady} first. Waits only when
 * nothing is there. For the owner of the exchange.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class ExchangeInputStream extends InputStream {

    ExchangeInputStream(BodySource source) {}

    @Override
    public int read() throws IOException {
        throw new UnsupportedOperationException("exchange");
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        throw new UnsupportedOperationException("exchange");
    }

    /**
     * Makes the stream non-blocking for good: a read without {@link #isReady} throws {@link IllegalStateException}. The
     * callback runs once whenever {@link #isReady} has returned false and there is something now (bytes, the end, or a
     * failure that the next read throws), on a thread that must not block.
     */
    public void onReadable(Runnable callback) {
        throw new UnsupportedOperationException("exchange");
    }

    /** True if the next read will not wait: bytes are there, or the end, or a failure. */
    public boolean isReady() {
        throw new UnsupportedOperationException("exchange");
    }

    /** True if the end was reached. */
    public boolean isFinished() {
        throw new UnsupportedOperationException("exchange");
    }
}
