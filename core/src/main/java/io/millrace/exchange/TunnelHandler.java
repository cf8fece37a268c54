package io.millrace.exchange;

import java.time.Duration;

/**
 * Takes an exchange's bytes over after an upgrade ({@link HttpExchange#tunnel}). Its exchange's input and output are the
 * peer's bytes as they come and go, its end is that of the connection or stream, and its request has no header fields: what
 * is needed of them is to be kept before.
 */
public interface TunnelHandler extends HttpHandler {

    /** The idle timeout of both directions together, after which the tunnel is closed; zero, the default, for none. Called once. */
    default Duration idleTimeout() {
        return Duration.ZERO;
    }

    /**
     * The server begins to drain; after the grace period the tunnel is closed. Called once, on any thread, possibly before {@link
     * #handle}; must not block.
     */
    default void drain() {}
}
