package io.millrace.client;

import io.millrace.http.Headers;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A request under way, and its response.
 *
 * <p><b>Threads.</b> One thread at a time sends, one at a time reads; they need not be the same. Reading begins with {@link
 * ResponseListener#onHead}. {@link #abort} may be called by anyone.
 */
public interface ClientStream {

    /**
     * Sends a piece of the request's body; in a tunnel, of its bytes. One at a time: the next may begin when the completion has
     * run, or inside it. The first may begin when the head was sent.
     *
     * @param last no piece follows. In a tunnel it ends our direction
     * @throws IllegalStateException if there is more than the announced length, or less and it is the last
     */
    void send(ByteBuffer piece, boolean last, Completion completion);

    /** Fields to follow the body of unknown length (RFC 9110, 6.5), before its last piece; others drop them. */
    void trailers(Headers fields);

    /**
     * The next bytes of the response's body, in a chunk the caller owns; {@link Chunk#END} after the last; null if there is
     * nothing now.
     *
     * @throws IOException if the body is malformed or cut off, or the connection broke: the response is not whole
     */
    @Nullable
    Chunk read() throws IOException;

    /** One shot: runs {@code ready} when {@link #read} may have something, or will throw. Not necessarily on another thread. */
    void awaitReadable(Runnable ready);

    /** Was the last byte of the response's body read? Then {@link #read} answers its end from now on. */
    boolean isRead();

    /** The fields after the response's body, once that was read; null if there are none. */
    @Nullable
    Headers trailers();

    /** Gives request and response up. Does nothing once the response was read whole. */
    void abort(@Nullable Throwable cause);
}
