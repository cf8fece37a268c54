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
 * The beginning of a request's body, or all of it, that came before anybody read it: in memory, which all requests of the
 * server share. As a source it gives what it has, and then what the body's own source still has. For the request's owner.
 */
public final class BodyPrefix implements BodySource {

    private static final int FIRST = 1024;

    /** For all requests together: 32 MiB of a heap of 512. What is beyond is left with the client. */
    private static final long MOST = Runtime.getRuntime().maxMemory() / 16;

    private static final AtomicLong HELD = new AtomicLong();

    private final BodySource rest;
    private byte[] bytes = {};
    private int size;

    /** Nothing yet. */
    public BodyPrefix(BodySource rest) {
        this.rest = rest;
    }

    /** Bytes held. */
    public int size() {
        return size;
    }

    /** Is there memory for more? If not, what comes is to be left with the client. */
    public static boolean hasRoom() {
        return HELD.get() < MOST;
    }

    /** Holds these bytes as well. Not after the first {@link #read}. */
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

    /** Forgets the bytes. More than once is harmless. */
    public void close() {
        HELD.addAndGet(-bytes.length);
        bytes = new byte[0];
        size = 0;
    }
}
