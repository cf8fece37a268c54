package io.millrace.client;

import io.millrace.http.Headers;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.protocol.HttpStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request in progress and its response.
 *
 * <p><b>Threads.</b> One thread at a time sends, and one thread at a time reads; they need not be the same. Reading
 * begins with {@link ResponseListener#onHead}. {@link #abort} may be called by any thread.
 */
public interface ClientStream {

    /**
     * Sends a piece of the request's body, or of a tunnel's bytes. One write at a time: the next one may begin after the
     * completion has been called, or inside it. The first one may begin when the head has been sent.
     *
     * @param last whether this is the last piece. In a tunnel it ends the output (half-close)
     * @throws IllegalStateException if the body exceeds the announced length, or the last piece ends it too early
     */
    void send(ByteBuffer piece, boolean last, Completion completion);

    /**
     * Sets the trailer fields (RFC 9110, 6.5) of a body of unknown length, before its last piece. Ignored for other
     * bodies.
     */
    void trailers(Headers fields);

    /**
     * Reads the next bytes of the response's body, in a chunk that the caller owns; {@link Chunk#END} after the last
     * one; null if nothing is available now.
     *
     * @throws IOException if the body is malformed or truncated, or the connection is broken: the response is incomplete
     */
    @Nullable
    Chunk read() throws IOException;

    /**
     * Requests one call of {@code ready}, when input may be available or {@link #read} would throw. The call may be made
     * on the calling thread.
     */
    void awaitReadable(Runnable ready);

    /** Whether the response's body was read to its end; {@link #read} then returns the end. */
    boolean isRead();

    /** The trailer fields of the response, after its end was read; null if there are none. */
    @Nullable
    Headers trailers();

    /**
     * Whether the request was sent as one for nothing but a tunnel (extended CONNECT, RFC 8441). A handshake in HTTP/1.1 is an ordinary
     * request as well, whose Upgrade a server may ignore (RFC 9110, 7.8).
     */
    default boolean isForTunnel() {
        return false;
    }

    /**
     * Turns the tunnel of a response with status 101 into a stream for an exchange, whose reads and writes are the tunnel's bytes. This
     * stream then has no other use. A connection that serves one request at a time becomes the tunnel: its session is reported as closed.
     *
     * @param idleTimeout how long both directions may be idle before the tunnel is reset; zero for no limit
     * @param opened receives the stream, on the calling thread
     * @throws UnsupportedOperationException if the protocol has no tunnels
     */
    default void tunnel(Duration idleTimeout, Consumer<HttpStream> opened) {
        throw new UnsupportedOperationException("the protocol has no tunnels");
    }

    /**
     * Aborts request and response. Does nothing after the response was read to its end.
     *
     * @param cause why; null if unknown
     */
    void abort(@Nullable Throwable cause);
}
