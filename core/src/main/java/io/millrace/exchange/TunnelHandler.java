package io.millrace.exchange;

import java.time.Duration;

/**
 * Takes an exchange's bytes over after an upgrade ({@link HttpExchange#tunnel}). Its exchange's input and output are the
 * peer's bytes as they come and go, its end is that of the connection or stream, and its request has no header fields: what
 * is needed of them is to be kept before.
 */
public interface TunnelHandler extends HttpHandler {

    /** How long neither direction may move before the tunnel is cut; zero, as by default, for ever. Asked once. */
    default Duration idleTimeout() {
        return Duration.ZERO;
    }

    /**
     * The server begins to stop: what has not ended when the grace is over is cut. Once, on any thread, perhaps before {@link
     * #handle}; must not block.
     */
    default void drain() {}
}
