package io.millrace.io;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * One peer's bytes, in order, both ways: plain, or decrypted by a layer.
 *
 * <p><b>Threads.</b> At any time one thread owns a connection: the one its {@link ConnectionHandler} is called on, or one
 * that the handler passed it to (a worker). {@link #awaitReadable} is the owner's last act: from then on the connection
 * belongs to its transport, until the handler is called again. {@link #close} and {@link #info} may be called by anyone.
 *
 * <p><b>The end.</b> A connection closes itself when both directions have ended (the peer's end was read and {@link #finish}
 * was done), and when reading or writing finds it broken.
 *
 * <p><b>Time.</b> The idle timeout counts only while the connection waits for its peer: for bytes ({@link
 * ConnectionHandler#onIdle}), or for a write to be accepted (the write fails and the connection is closed). It never
 * counts while a handler works.
 */
public interface Connection {

    /**
     * The next bytes, in a chunk the caller owns; {@link Chunk#END} when the peer has sent its last; null if there is
     * nothing now. Never waits unless {@link #mayBlock}. Costs no system call when the transport knows that there is
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
     * Waits for a latch that the connection's handler opens, after {@link #awaitReadable}, on a thread that may block. Where
     * {@link #mayBlock}, this thread may have to do the waiting for the peer itself meanwhile, and calls the handler. A layer
     * passes it on to the connection below.
     *
     * @throws InterruptedException if the thread is interrupted; the wait for the peer goes on
     */
    default void await(CountDownLatch latch) throws InterruptedException {
        latch.await();
    }

    /**
     * Sends all of the payload, then tells the completion. One write at a time: the next may begin when the completion
     * has run, or inside it. Never waits unless {@link #mayBlock}.
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
     * Makes a handler the current one: at the start, and at an upgrade. The caller then calls the handler's {@link
     * ConnectionHandler#onReadable} once itself, to set it going.
     */
    void install(ConnectionHandler handler);

    /**
     * How long to wait for the peer without progress; {@link Duration#ZERO} waits for ever. Starts anew, a wait that is under
     * way included.
     */
    void idleTimeout(Duration timeout);

    /** May code called by this connection block its thread? False where the thread serves other connections too. */
    boolean mayBlock();

    /** Does a {@linkplain Payload.FileRegion piece of a file} go from the system's memory to the peer, uncopied by this process? */
    default boolean sendsFiles() {
        return false;
    }

    /**
     * Does a read that finds nothing cost system calls? Then it is better to do something else first, if there is anything to
     * be done, so that the peer has the time to send more.
     */
    default boolean isEmptyReadCostly() {
        return false;
    }

    /** Addresses, TLS session, ALPN result. */
    ConnectionInfo info();

    /** Where this connection's transport leases its buffers. */
    BufferPool buffers();
}
