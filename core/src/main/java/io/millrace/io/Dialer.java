package io.millrace.io;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Creates outgoing connections: the client side of a transport. They are served by the I/O threads of the provider's
 * transports, and have layers, idle timeouts, back-pressure and draining like accepted connections. No listening
 * transport is required. Thread-safe.
 *
 * <p>No method blocks. Host names are resolved on dedicated threads. The addresses of a host are tried in turn,
 * alternating between IPv6 and IPv4: the next attempt starts when one has failed, or after 250 ms, and the first
 * connection is used (RFC 8305, 4 and 5).
 */
public interface Dialer {

    /** Is called exactly once with the outcome of a connection attempt. */
    interface Listener {

        /**
         * The connection is established. Called on the connection's own thread; must install a handler before it returns
         * and start it, as for {@link Transport#bind}. If it throws, the connection is closed.
         */
        void onConnected(Connection connection);

        /** No connection could be established. Called on an I/O thread, or inside {@link Dialer#connect}; must not block. */
        void onFailed(DialException failure);
    }

    /** A connection attempt in progress. */
    interface Dial {

        /**
         * Cancels the attempt; {@link Listener#onFailed} follows, with {@link DialException.Reason#CANCELLED}. Does
         * nothing once the attempt has ended; a connection that was established just before is still passed to the
         * listener. Safe to call from any thread.
         */
        void cancel();
    }

    /**
     * Starts to connect.
     *
     * @param to the address; an unresolved one is resolved first. Some transports support Unix domain sockets as well
     * @param timeout for the whole attempt, including name resolution; must be positive
     * @param listener is called with the outcome
     * @throws IllegalArgumentException if the timeout is not positive
     */
    Dial connect(SocketAddress to, Duration timeout, Listener listener);

    /** The number of open connections and of attempts in progress. */
    int connections();

    /**
     * Stops the dialer: attempts in progress and later ones fail ({@link DialException.Reason#STOPPED}), connections are
     * drained, and those still open after the grace period are closed.
     *
     * @return completed when no connection is left, and no thread that only this dialer used
     */
    CompletionStage<Void> stop(Duration grace);
}
