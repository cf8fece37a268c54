package io.millrace.client;

import java.time.Duration;

/**
 * The limits of a connection pool.
 *
 * @param maxConnections the maximum number of connections, open or being opened; at least 1
 * @param maxWaiting the maximum number of requests that wait while all connections are in use; further ones fail
 *     immediately
 * @param clientShare how much of the connections that other clients leave one client may have, in percent: 100 for no limit. A client is an
 *     address, and a connection of it
 * @param waitTimeout how long a request waits for a connection
 * @param dialTimeout for establishing a connection, including name resolution
 * @param tlsTimeout for the TLS handshake
 * @param maxAge from when on a connection is replaced at the end of a request, less up to a quarter so that not all of them are replaced at
 *     once; the server's name is then resolved again. One with other requests in progress is replaced at once only while at most half of
 *     {@code maxConnections} are open. Zero for no limit
 */
public record PoolLimits(
        int maxConnections,
        int maxWaiting,
        int clientShare,
        Duration waitTimeout,
        Duration dialTimeout,
        Duration tlsTimeout,
        Duration maxAge) {

    /** 200 connections; 200 requests wait up to 5 s; clients have no share; 3 s to connect, 5 s for the TLS handshake. */
    public static final PoolLimits DEFAULT =
            new PoolLimits(200, 200, 100, Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofSeconds(5));

    /** The same without a limit of age. */
    public PoolLimits(
            int maxConnections,
            int maxWaiting,
            int clientShare,
            Duration waitTimeout,
            Duration dialTimeout,
            Duration tlsTimeout) {
        this(maxConnections, maxWaiting, clientShare, waitTimeout, dialTimeout, tlsTimeout, Duration.ZERO);
    }

    /** Validates the limits. */
    public PoolLimits {
        if (maxConnections < 1 || maxWaiting < 0 || clientShare < 1 || clientShare > 100) {
            throw new IllegalArgumentException("maxConnections is " + maxConnections + ", maxWaiting " + maxWaiting
                    + " and clientShare " + clientShare
                    + "; expected at least 1 connection, at least 0 waiting requests, and 1 to 100 percent");
        }
    }

    /** The same times for one connection, and one request that waits for it. */
    public PoolLimits forOne() {
        return new PoolLimits(1, 1, 100, waitTimeout, dialTimeout, tlsTimeout, maxAge);
    }
}
