package io.millrace.io;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Connects outwards: the client side of a transport. Its connections are served by the threads of the provider's transports
 * and are like accepted ones in everything: layers, idle timeouts, back-pressure, draining. It does not depend on a transport
 * that listens. Any thread.
 *
 * <p>Nothing here blocks the caller. Host names are resolved on threads that do nothing else. The addresses of a host are
 * tried in turn, those of the two families alternating; the next one is begun when one has failed, or after 250 ms, and the
 * first that answers is taken (RFC 8305, 4 and 5).
 */
public interface Dialer {

    /** Learns how a dial ended: one call, once. */
    interface Listener {

        /**
         * The connection is there. Called on the connection's own thread; must install a handler before it returns and then
         * set it going, as for {@link Transport#bind}. If it throws, the connection is closed.
         */
        void onConnected(Connection connection);

        /** There is no connection. On an I/O thread or inside {@link Dialer#connect}; must not block. */
        void onFailed(DialException failure);
    }

    /** A dial under way. */
    interface Dial {

        /**
         * Gives it up: {@link Listener#onFailed} follows, with {@link DialException.Reason#CANCELLED}. Does nothing once the
         * dial has ended. A connection made just before is still handed over. Any thread.
         */
        void cancel();
    }

    /**
     * Begins to connect.
     *
     * @param to an address; an unresolved one is resolved first. Some transports take that of a Unix domain socket as well
     * @param timeout for all of it, the name's resolution included; must be positive
     * @throws IllegalArgumentException if the timeout is not positive
     */
    Dial connect(SocketAddress to, Duration timeout, Listener listener);

    /** Connections open now, and dials under way. */
    int connections();

    /**
     * Fails the dials under way and those to come ({@link DialException.Reason#STOPPED}), drains every connection,
     * waits until all are closed or the grace is over, then closes the rest.
     *
     * @return done when no connection is left, and no thread that only this dialer used
     */
    CompletionStage<Void> stop(Duration grace);
}
