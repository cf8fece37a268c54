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
 * What a protocol does for one exchange. The exchange calls it, on the thread that owns the exchange; it never calls a
 * handler.
 */
public interface HttpStream {

    /**
     * The next bytes of the request's body, decoded, in a chunk the caller owns; {@link Chunk#END} after the last; null
     * if there is nothing now. The first call sends {@code 100 Continue} if the client waits for it.
     *
     * @throws IOException if the body is malformed or too large (then a {@link ProtocolException}) or the connection broke
     */
    @Nullable
    Chunk read() throws IOException;

    /**
     * One shot: runs {@code ready} when {@link #read} may have something, or will throw: a thread may wait for it on a
     * thread of its own. It runs on the connection's thread, or at once on the caller's.
     */
    void awaitReadable(Runnable ready);

    /** The fields after the body (RFC 9110, 6.5), once {@link #read} has answered its end; null if there are none. */
    default @Nullable Headers trailers() {
        return null;
    }

    /**
     * Sends an interim response (100, 103) before the final one. HTTP/1.0 peers get nothing.
     *
     * @throws IllegalArgumentException if the status is not an interim one, or 101
     */
    void inform(int status, Headers headers, Completion completion);

    /**
     * Sends a piece of the response. One at a time: the next may begin when the completion has run, or inside it.
     *
     * @param head with the first piece, null with the others
     * @param body the piece, possibly empty
     * @param last no piece follows. Ends the response; if fewer bytes came than the head's content-length announced, the
     *     connection is closed
     */
    void send(@Nullable ResponseHead head, Payload body, boolean last, Completion completion);

    /**
     * Answers with this head instead of a response, and makes a tunnel of the stream: bytes of another protocol, as they come
     * and go (RFC 9110, 7.8 and 9.3.6; on a stream of HTTP/2 RFC 8441). This stream is over then, and is not ended.
     *
     * @param head of status 101; what else it says is up to the protocol that carries it
     * @param idleTimeout how long neither direction may move before the tunnel is cut, with {@link ResetReason#TIMEOUT}; zero
     *     for ever
     * @param opened gets the tunnel once the head was sent, on the connection's thread: {@link #read} and {@link #send} are
     *     raw there, heads are ignored, and the last piece ends our direction. Not called if the connection breaks before
     * @throws IllegalStateException if the response has begun, the request's body was not read to its end, or the version of
     *     HTTP has no upgrade
     * @throws UnsupportedOperationException if the protocol has no tunnels
     */
    void tunnel(ResponseHead head, Duration idleTimeout, Consumer<HttpStream> opened);

    /**
     * Instead of being dispatched: goes on with the whole connection in another protocol, which answers this stream's request
     * (RFC 9110, 7.8). This stream is over then, and is not ended.
     *
     * @param head of status 101, with its Upgrade field
     * @return false, and nothing was done, if the protocol has no such thing, if the request has a body, or if no other request
     *     could follow this one on its connection
     */
    default boolean switchTo(ResponseHead head, Successor next) {
        return false;
    }

    /** Would {@link #push} promise a response now? False where the protocol, the operator or the client does not allow it. */
    default boolean canPush() {
        return false;
    }

    /**
     * Promises the client the response to a request that it has not sent (RFC 9113, 8.4), and has that request dispatched as
     * if it had. To be called before the piece of this response that would make the client ask.
     *
     * @param method GET or HEAD
     * @param target path and query
     * @param headers without Host, which is that of this request. Authorization is for the one who answers, and not sent
     * @return false, and nothing was done, if it may not be pushed, or the client or the server has too much to do already
     */
    default boolean push(String method, String target, Headers headers) {
        return false;
    }

    /**
     * The exchange is over: the response was sent whole. Discards the rest of the request within bounds; then comes the
     * next request, or the close.
     */
    void end();

    /**
     * Gives the exchange up: resets the stream or closes the connection. Any thread, more than once. A write under way
     * fails, and its completion is called; so is a callback that awaits input. Not called after {@link #end}.
     *
     * @param cause {@link ResetReason#of} is the reason that may be sent to the peer; null means {@link ResetReason#CANCEL}
     */
    void abort(@Nullable Throwable cause);

    /**
     * For an exchange that begins to wait for something else than this stream, and so would not find out: {@code closed}
     * runs once if the connection closes, or the stream is reset, before {@link #end}; at once if that has happened. It gets
     * the cause, if there is one; runs on the connection's thread or on the caller's; and must not block. A stream has one
     * such listener: registered again, it replaces the last. To be called for each such wait, by the exchange's owner: a
     * stream that would notice nothing by itself then looks out for its peer until there is something to read.
     */
    void onClosed(Consumer<@Nullable Throwable> closed);

    /**
     * For an exchange that would not end by itself: runs once when the server begins to stop, at once if it has begun, on any
     * thread, and must not block. Streams of requests, which have an end, run nothing. A stream has one such listener.
     */
    default void onDrain(Runnable draining) {}

    /** What it is on: addresses and TLS session of its peer, buffers for its bodies, how to wait. */
    Channel channel();
}
