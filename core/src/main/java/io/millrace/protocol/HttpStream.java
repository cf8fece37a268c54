package io.millrace.protocol;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A protocol's side of one exchange. Called by the exchange, on the thread that owns the exchange, unless a method says
 * otherwise; never calls a handler.
 */
public interface HttpStream {

    /**
     * Reads the next decoded bytes of the request's body, in a chunk that the caller owns; {@link Chunk#END} after the
     * last one; null if nothing is available now. The first call sends {@code 100 Continue} if the client waits for it.
     *
     * @throws ProtocolException if the body is malformed or too large
     * @throws IOException if the connection is broken
     */
    @Nullable
    Chunk read() throws IOException;

    /**
     * Requests one call of {@code ready}, when input may be available or {@link #read} would throw. It is called on the
     * connection's thread, or on the calling thread before this method returns.
     */
    void awaitReadable(Runnable ready);

    /** The trailer fields (RFC 9110, 6.5), after {@link #read} has returned the end; null if there are none. */
    default @Nullable Headers trailers() {
        return null;
    }

    /**
     * Sends an interim response (100, 103) before the final one; not sent to HTTP/1.0 clients.
     *
     * @throws IllegalArgumentException if the status is not an interim one, or is 101
     */
    void inform(int status, Headers headers, Completion completion);

    /**
     * Sends a piece of the response. One write at a time: the next one may begin after the completion has been called,
     * or inside it.
     *
     * @param head with the first piece; null with the others
     * @param body the piece, possibly empty
     * @param last whether this is the last piece, which ends the response. If fewer bytes were sent than the head's
     *     content length, the connection is closed
     */
    void send(@Nullable ResponseHead head, Payload body, boolean last, Completion completion);

    /**
     * Sends this head instead of a response and turns the stream into a tunnel for the bytes of another protocol (RFC
     * 9110, 7.8 and 9.3.6; on an HTTP/2 stream RFC 8441). This stream then has no other use, and {@link #end} is not
     * called.
     *
     * @param head with status 101; each protocol sends what corresponds to it
     * @param idleTimeout how long both directions may be idle before the tunnel is reset with {@link
     *     ResetReason#TIMEOUT}; zero for no limit
     * @param opened receives the tunnel after the head has been sent, on the connection's thread. Its {@link #read} and
     *     {@link #send} transfer raw bytes, heads are ignored, and the last piece ends the output (half-close). Not called
     *     if the connection breaks before
     * @throws IllegalStateException if the response has begun, the request's body was not read to its end, or the HTTP
     *     version does not support upgrades
     * @throws UnsupportedOperationException if the protocol does not support tunnels
     */
    void tunnel(ResponseHead head, Duration idleTimeout, Consumer<HttpStream> opened);

    /**
     * Ends the exchange after the response has been sent completely. Discards the rest of the request within limits;
     * then the connection serves the next request or is closed.
     */
    void end();

    /**
     * Aborts the exchange: resets the stream or closes the connection. Called by any thread, possibly more than once,
     * but not after {@link #end}. A write in progress fails, and its completion is called; so is a callback that waits
     * for input.
     *
     * @param cause its {@link ResetReason#of} may be sent to the peer; null counts as {@link ResetReason#CANCEL}
     */
    void abort(@Nullable Throwable cause);

    /**
     * Registers a listener for the peer's disconnect, for an exchange that waits for something other than this stream.
     * Called once if the connection is closed or the stream is reset before {@link #end}; immediately if that has
     * happened already. It receives the cause, if known, runs on the connection's thread or on the calling thread, and
     * must not block. A stream has one such listener; another one replaces it. Register it for each such wait, on the
     * exchange's thread: a stream that does not detect a disconnect by itself then watches its peer until there is
     * something to read.
     */
    void onClosed(Consumer<@Nullable Throwable> closed);

    /**
     * Registers a listener for the start of the server's shutdown, for an exchange without an end of its own, such as a
     * tunnel. Called once by any thread, immediately if the shutdown has begun; must not block. Streams of requests,
     * which end by themselves, never call it. A stream has one such listener.
     */
    default void onDrain(Runnable draining) {}

    /** The addresses, TLS session and buffers of this stream, and how to wait for its peer. */
    Channel channel();
}
