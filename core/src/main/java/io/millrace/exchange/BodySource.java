package io.millrace.exchange;

import io.millrace.http.Headers;
import io.millrace.io.Chunk;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, read without blocking, by one thread at a time: as with the input of a {@link
 * io.millrace.io.Connection}, a reader that gets null calls {@link #awaitReadable} and is called back.
 */
public interface BodySource {

    /**
     * The next bytes, in a chunk that the caller owns and releases; {@link Chunk#END} after the last one; null if
     * nothing is available now.
     *
     * @throws IOException if the body is malformed, too large or too slow, or if the connection is broken
     */
    @Nullable
    Chunk read() throws IOException;

    /** Requests one call of {@code ready}, when input may be available, on a thread that must not block. */
    void awaitReadable(Runnable ready);

    /** The trailer fields (RFC 9110, 6.5), after the end was read; null if there are none. */
    default @Nullable Headers trailers() {
        return null;
    }

    /** A body that is completely in memory. */
    static BodySource of(byte[] bytes) {
        return new KeptBody(bytes);
    }
}
