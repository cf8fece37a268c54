package io.millrace.exchange;

import io.millrace.http.Headers;
import io.millrace.io.Chunk;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A request's body: a chunk or null, then await. The same contract as a connection's input. */
public interface BodySource {

    /**
     * The next bytes, in a chunk the caller owns; {@link Chunk#END} after the last; null if there is nothing now.
     *
     * @throws IOException if the body is malformed, too large or too slow, or the connection broke
     */
    @Nullable
    Chunk read() throws IOException;

    /** One shot: runs {@code ready} when {@link #read} may have something, on a thread that must not block. */
    void awaitReadable(Runnable ready);

    /** The fields after the body (RFC 9110, 6.5), once its end was read; null if there are none. */
    default @Nullable Headers trailers() {
        return null;
    }

    /** A body that is there already. */
    static BodySource of(byte[] bytes) {
        return new KeptBody(bytes);
    }
}
