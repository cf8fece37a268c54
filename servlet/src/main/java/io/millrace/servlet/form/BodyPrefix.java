package io.millrace.servlet.form;

import io.millrace.exchange.BodySource;
import io.millrace.http.Headers;
import io.millrace.io.Chunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a request's body, or all of it, buffered before the application reads it. Reading returns the buffered bytes
 * first, then those of the body's source. All requests of the JVM share a limit on the memory of such buffers. Confined to the
 * request's owner.
 */
public final class BodyPrefix implements BodySource {

    private static final int FIRST = 1024;

    /** The limit for all requests together: 32 MiB for a heap of 512 MiB. Beyond it, no more is read from clients. */
    private static final long MOST = Runtime.getRuntime().maxMemory() / 16;

    private static final AtomicLong HELD = new AtomicLong();

    private final BodySource rest;
    private byte[] bytes = {};
    private int size;

    /**
     * Creates an empty buffer.
     *
     * @param rest the body's source
     */
    public BodyPrefix(BodySource rest) {
        this.rest = rest;
    }

    /** The number of bytes in the buffer. */
    public int size() {
        return size;
    }

    /** True while the buffers of all requests are below their common limit. If not, the caller stops reading from the client. */
    public static boolean hasRoom() {
        return HELD.get() < MOST;
    }

    /** Copies bytes into the buffer. Must not be called after the first {@link #read}. */
    public void append(ByteBuffer more) {
        int sum = size + more.remaining();
        if (sum > bytes.length) {
            grow(sum);
        }
        more.get(bytes, size, more.remaining());
        size = sum;
    }

    private void grow(int least) {
        int length = Math.max(FIRST, Math.max(least, 2 * bytes.length));
        HELD.addAndGet(length - bytes.length);
        bytes = Arrays.copyOf(bytes, length);
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        if (size == 0) {
            return rest.read();
        }
        Chunk all = Chunk.wrap(ByteBuffer.wrap(bytes, 0, size));
        close();
        return all;
    }

    @Override
    public void awaitReadable(Runnable ready) {
        if (size > 0) {
            ready.run();
        } else {
            rest.awaitReadable(ready);
        }
    }

    @Override
    public @Nullable Headers trailers() {
        return rest.trailers();
    }

    /** Discards the buffer. Idempotent. */
    public void close() {
        HELD.addAndGet(-bytes.length);
        bytes = new byte[0];
        size = 0;
    }
}
