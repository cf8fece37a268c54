package io.millrace.exchange;

import java.time.Duration;

/**
 * Handles the bytes of a connection or stream after an upgrade ({@link HttpExchange#tunnel}). The input and output of
 * its exchange are the bytes exchanged with the peer, the end of the exchange closes the connection or stream, and its
 * request has no header fields: copy those that are needed before the upgrade.
 */
public interface TunnelHandler extends HttpHandler {

    /**
     * The idle timeout of both directions together, after which the tunnel is closed; zero, the default, for none.
     * Called once.
     */
    default Duration idleTimeout() {
        return Duration.ZERO;
    }

    /**
     * Called once when the server begins to drain; after the grace period the tunnel is closed. Called by any thread,
     * possibly before {@link #handle}; must not block.
     */
    default void drain() {}
}
