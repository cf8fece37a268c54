package io.millrace.tls.layer;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.tls.TlsEngine;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The lingering close of a rejected connection: closing a socket with unread input resets it, and the peer might not receive the
 * alert or response. So input is discarded, for a limited time and number of bytes.
 */
final class LingeringClose implements ConnectionHandler {

    private static final Duration TIME = Duration.ofSeconds(2);
    private static final int MAX_BYTES = 64 * 1024;

    private final Connection below;
    private final @Nullable TlsEngine engine;
    private final long end = System.nanoTime() + TIME.toNanos();
    private int left = MAX_BYTES;

    /**
     * A lingering close of this connection.
     *
     * @param engine to be released with it; null if there is none
     */
    LingeringClose(Connection below, @Nullable TlsEngine engine) {
        this.below = below;
        this.engine = engine;
    }

    /** Takes over the connection, and shortens its idle timeout, which also limits the pending write. */
    void install() {
        below.install(this);
        below.idleTimeout(TIME);
    }

    /** The alert or response was sent, and the output has ended. */
    void sent(@Nullable Throwable failure) {
        if (failure == null) {
            onReadable();
        } else {
            below.close(failure);
        }
    }

    @Override
    public void onReadable() {
        try {
            while (left > 0 && end - System.nanoTime() > 0) {
                Chunk chunk = below.read();
                if (chunk == null) {
                    below.awaitReadable();
                    return;
                }
                boolean last = chunk.isEnd();
                left -= chunk.bytes().remaining();
                chunk.release();
                if (last) {
                    break;
                }
            }
            below.close(null);
        } catch (IOException gone) {
            below.close(gone);
        }
    }

    @Override
    public void onIdle() {
        below.close(null);
    }

    @Override
    public void onClosed(@Nullable Throwable cause) {
        if (engine != null) {
            engine.release();
        }
    }

    @Override
    public void drain() {
        // it ends soon anyway
    }
}
