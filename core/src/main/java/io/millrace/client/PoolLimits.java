package io.millrace.client;

import java.time.Duration;

/**
 * How many connections a pool opens, and how long one waits for them.
 *
 * @param maxConnections open or being opened at once, at least 1
 * @param maxWaiting requests that wait because all connections are in use; one more fails at once
 * @param waitTimeout how long such a request waits
 * @param dialTimeout from the host's name to the connection
 * @param tlsTimeout for the TLS handshake
 */
public record PoolLimits(
        int maxConnections, int maxWaiting, Duration waitTimeout, Duration dialTimeout, Duration tlsTimeout) {

    /** 200 connections; 200 requests wait 5 s; 3 s to connect, 5 s for TLS. */
    public static final PoolLimits DEFAULT =
            new PoolLimits(200, 200, Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofSeconds(5));

    /** Checks them. */
    public PoolLimits {
        if (maxConnections < 1 || maxWaiting < 0) {
            throw new IllegalArgumentException("maxConnections is " + maxConnections + ", maxWaiting " + maxWaiting
                    + "; expected at least 1 and at least 0");
        }
    }

    /** The same for one connection, and one that waits for it. */
    public PoolLimits forOne() {
        return new PoolLimits(1, 1, waitTimeout, dialTimeout, tlsTimeout);
    }
}
