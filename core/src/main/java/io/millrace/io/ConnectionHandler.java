package io.millrace.io;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A protocol's handler of one connection. {@link #onReadable}, {@link #onIdle} and completions of writes are called by
 * the transport; the first two only after {@link Connection#awaitReadable}, and therefore never by two threads at the
 * same time. If a handler throws, its connection is closed.
 */
public interface ConnectionHandler {

    /**
     * How long a draining connection waits for the rest of an incomplete head of a request or handshake. Usually one
     * segment completes it; a slower peer must not delay the shutdown.
     */
    Duration DRAIN_LIMIT = Duration.ofSeconds(1);

    /**
     * How long output may wait for a peer that has ended its own and takes nothing more ({@link Connection#limitWrites}): it has most
     * likely gone. One that goes on receiving, however slowly, has half-closed, which is legal.
     */
    Duration HALF_CLOSED_LIMIT = Duration.ofSeconds(5);

    /** Called when input may be available; spurious calls are possible. */
    void onReadable();

    /**
     * Called when the peer has sent nothing for the idle timeout. To keep waiting, call {@link Connection#awaitReadable}
     * again.
     */
    void onIdle();

    /**
     * Called exactly once, as the last call, when the connection is closed; possibly while another thread owns the
     * connection, whose reads and writes then fail.
     *
     * @param cause why the connection was closed; null after a normal end
     */
    void onClosed(@Nullable Throwable cause);

    /**
     * Asks the handler to finish what is in progress and to start nothing new. Called by any thread at any time; the
     * handler only sets a flag. A connection that waits for input then gets a spurious {@link #onReadable}, so that it
     * can close itself if it is idle.
     */
    void drain();
}
