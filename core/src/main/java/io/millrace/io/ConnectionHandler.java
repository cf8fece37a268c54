package io.millrace.io;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a protocol does with one connection. {@link #onReadable}, {@link #onIdle} and completions of writes are called by
 * the transport, the first two only after {@link Connection#awaitReadable} and so never by two threads at once. What a
 * handler throws closes its connection.
 */
public interface ConnectionHandler {

    /**
     * While it drains: how long a peer has for the rest of what it has begun and no handler works on yet, such as a request's head
     * or a handshake. Usually one segment completes it; a slower peer must not delay the stop.
     */
    Duration DRAIN_LIMIT = Duration.ofSeconds(1);

    /** There may be something to read; or, spuriously, not. */
    void onReadable();

    /** The peer sent nothing for the idle timeout. Whoever wants to go on waiting calls awaitReadable again. */
    void onIdle();

    /**
     * The connection is closed: the last call, exactly once. It may come while another thread owns the connection, whose
     * reads and writes then fail.
     */
    void onClosed(@Nullable Throwable cause);

    /**
     * Finish what is open, start nothing new. Any thread, at any time: it only takes note. A connection that waits for
     * input gets a spurious {@link #onReadable} afterwards, so that an idle one can close itself.
     */
    void drain();
}
