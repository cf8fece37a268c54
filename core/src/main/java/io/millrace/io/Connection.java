package io.millrace.io;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The bytes exchanged with one peer, in both directions: those of the socket, or those decrypted by a layer.
 *
 * <p><b>Threads.</b> A connection has one reader and one writer, independent of each other. The reader is the thread
 * that may call {@link #read}, {@link #awaitReadable} and {@link #idleTimeout}: the thread that calls the {@link
 * ConnectionHandler}, or one to which the handler has passed the input (a worker). {@link #awaitReadable} is the
 * reader's last call: from then on the input belongs to the transport, until the handler is called again. The writer is
 * the thread that may call {@link #write} and {@link #finish}: one operation at a time, the next one after the
 * completion has been called, or inside it. Both may be the same thread, as in protocols that serve one request at a
 * time, or two threads that work at the same time, as in multiplexed protocols. {@link #close}, {@link #reset} and
 * {@link #channel} may be called by any thread.
 *
 * <p><b>The end.</b> A connection closes itself when both directions have ended (the peer's end was read and {@link
 * #finish} has completed), and when reading or writing fails.
 *
 * <p><b>Idle timeout.</b> It is measured only while the connection waits for its peer, separately for each direction:
 * while it waits for bytes ({@link ConnectionHandler#onIdle}), regardless of output; and while a write waits for the
 * peer to receive (the write fails and the connection is closed), regardless of input. It is never measured while a
 * handler runs.
 */
public interface Connection {

    /**
     * Reads the next bytes into a chunk that the caller owns; {@link Chunk#END} after the peer's last byte; null if
     * nothing is available now, or if other connections of the I/O thread are to be served first: {@link #awaitReadable}
     * then calls back soon. Never blocks unless the connection {@linkplain Channel#mayBlock may block}. Makes no
     * system call if the transport knows that nothing has arrived.
     *
     * @throws IOException if the connection is broken or closed
     */
    @Nullable
    Chunk read() throws IOException;

    /**
     * Requests one call of {@link ConnectionHandler#onReadable}, when input may be available. The caller gives up its
     * ownership of the input, and must not call this method again before that call. A layer that holds decoded bytes,
     * such as TLS, may make it on the calling thread before this method returns, or on the thread that is in an earlier
     * call, after that has returned ({@link ReadyLoop}).
     */
    void awaitReadable();

    /**
     * Ends a wait for input, before there was any: true if the caller now owns the input, as if the handler had been called on its
     * thread; it may read, and wait anew. False if nobody waits, or the handler has been or is being called. To look, before it writes,
     * whether the peer has ended a connection that was idle. Transports whose operating system reads on their behalf (nio2) find what
     * has been read only. Safe to call from any thread.
     */
    boolean takeBack();

    /**
     * Sends all of the payload, then calls the completion. One write at a time: the next one may begin after the
     * completion has been called, or inside it. Never blocks unless the connection {@linkplain Channel#mayBlock may
     * block}.
     */
    void write(Payload payload, Completion completion);

    /** Ends the output after all writes; the input stays open (half-close). The completion is called as for {@link #write}. */
    void finish(Completion completion);

    /**
     * Closes the connection immediately and discards unsent bytes. A write in progress fails, and {@link
     * ConnectionHandler#onClosed} is called. Further calls do nothing. Safe to call from any thread.
     *
     * @param cause the reason for an abnormal end; null for a normal one
     */
    void close(@Nullable Throwable cause);

    /**
     * Closes the connection like {@link #close}, in such a way that the peer notices that the data is incomplete: with a
     * TCP RST instead of a FIN (RFC 9293, 3.10.5), and over TLS without close_notify. For aborted responses and tunnels,
     * where the peer would mistake the end of the connection for the end of the data, or for a half-close. The operating
     * system discards unsent bytes too. The JDK's asynchronous channels cannot send a RST: on nio2 this is {@link
     * #close} with a cause.
     *
     * @param cause the reason; null if it is unknown
     */
    void reset(@Nullable Throwable cause);

    /**
     * Sets the current handler: at the start of a connection, and when it changes the protocol. The caller then calls
     * the handler's {@link ConnectionHandler#onReadable} once itself, to start it.
     */
    void install(ConnectionHandler handler);

    /**
     * Sets how long the connection waits for its peer without progress; {@link Duration#ZERO} disables the timeout. A
     * wait for bytes in progress restarts; a pending write keeps its deadline until the peer receives something.
     */
    void idleTimeout(Duration timeout);

    /**
     * Limits how long a write waits for its peer without progress, whatever the idle timeout: of the writes to come, and of the
     * pending one from now on, except on a connection that {@linkplain Channel#mayBlock may block}. For a peer that has ended its
     * output and has most likely gone. Safe to call from any thread.
     */
    void limitWrites(Duration limit);

    /** The connection's addresses, buffers and properties. */
    Channel channel();
}
