package io.millrace.io;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One peer's bytes, in order, both ways: plain, or decrypted by a layer.
 *
 * <p><b>Threads.</b> A connection has one reader and one writer, independent of each other. The reader is the thread that
 * may {@link #read}, {@link #awaitReadable} and set the {@link #idleTimeout}: the one its {@link ConnectionHandler} is called
 * on, or one that the handler passed this to (a worker). {@link #awaitReadable} is the reader's last act: from then on the
 * input belongs to the transport, until the handler is called again. The writer is the thread that may {@link #write} and
 * {@link #finish}: one operation at a time, the next when the completion has run, or inside it. Both may be one thread, as
 * with protocols that answer one request after the other; or two that are busy all the time, as where a connection carries
 * many streams. {@link #close}, {@link #reset} and {@link #channel} may be called by
 * anyone.
 *
 * <p><b>The end.</b> A connection closes itself when both directions have ended (the peer's end was read and {@link #finish}
 * was done), and when reading or writing finds it broken.
 *
 * <p><b>Time.</b> The idle timeout counts only while the connection waits for its peer, for each direction by itself:
 * for bytes ({@link ConnectionHandler#onIdle}), whatever the peer takes meanwhile; and for a write to be accepted (the write
 * fails and the connection is closed), whatever the peer sends meanwhile. It never counts while a handler works.
 */
public interface Connection {

    /**
     * The next bytes, in a chunk the caller owns; {@link Chunk#END} when the peer has sent its last; null if there is
     * nothing now. Never waits unless it {@linkplain Channel#mayBlock may block}. Costs no system call when the transport knows that there is
     * nothing.
     *
     * @throws IOException if the connection is broken or closed
     */
    @Nullable
    Chunk read() throws IOException;

    /**
     * One shot: {@link ConnectionHandler#onReadable} will be called once when there may be something to read. Gives up
     * the caller's ownership of the input; must not be called again before that.
     */
    void awaitReadable();

    /**
     * Sends all of the payload, then calls the completion. One write at a time: the next may begin when the completion
     * has run, or inside it. Never waits unless it {@linkplain Channel#mayBlock may block}.
     */
    void write(Payload payload, Completion completion);

    /** No more output; input stays open (half-close). Follows all writes; completions as with {@link #write}. */
    void finish(Completion completion);

    /**
     * Closes now, dropping what is unsent. Idempotent, any thread. A write under way fails; {@link
     * ConnectionHandler#onClosed} follows.
     *
     * @param cause why; null for an orderly end
     */
    void close(@Nullable Throwable cause);

    /**
     * Closes like {@link #close}, and lets the peer see that what it got is not whole: TCP's RST instead of its FIN (RFC 9293,
     * 3.10.5), and no close_notify over TLS. For what broke off, where the peer would take the end of the connection for the end of
     * what was sent, or for half of it. What is unsent is dropped by the system too. The JDK's asynchronous channels have no way to
     * do so: on nio2 this is {@link #close} with a cause.
     *
     * @param cause why; null if nobody knows
     */
    void reset(@Nullable Throwable cause);

    /**
     * Makes a handler the current one: at the start, and at an upgrade. The caller then calls the handler's {@link
     * ConnectionHandler#onReadable} once itself, to set it going.
     */
    void install(ConnectionHandler handler);

    /**
     * How long to wait for the peer without progress; {@link Duration#ZERO} for no timeout. A wait for bytes that is under way
     * starts anew; a write that waits keeps the time it began with until the peer takes something.
     */
    void idleTimeout(Duration timeout);

    /** What else is known of it, and what it lends. */
    Channel channel();
}
