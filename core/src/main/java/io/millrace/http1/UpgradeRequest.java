package io.millrace.http1;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.protocol.HttpStream;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The client side of an upgrade (RFC 9110, 7.8): sends a GET request, reads the head of the response, and passes the
 * connection to the listener if the status is 101. Interim responses are skipped. With any other status the connection
 * is closed.
 *
 * <p><b>Threads.</b> Started by the connection's owner; everything else runs on the connection's threads. There is no
 * timeout: the caller closes the connection if the upgrade takes too long.
 */
public final class UpgradeRequest {

    private static final int SWITCHING_PROTOCOLS = 101;

    /** Receives the outcome: exactly one call, which must not block. */
    public interface Listener {

        /**
         * The server agreed. The listener validates the head, then takes the connection or closes it.
         *
         * @param response with status 101
         */
        void onUpgraded(ResponseHead response, Upgraded connection);

        /** The server sent another response; the connection is closed. */
        void onRefused(ResponseHead response);

        /** There is no response, or it is malformed; the connection is closed. */
        void onFailed(IOException failure);
    }

    /** A connection after the server has switched protocols. */
    public interface Upgraded {

        /**
         * Takes the connection: its bytes now belong to the stream.
         *
         * @param idleTimeout how long both directions may be idle; zero for no limit
         * @param next receives the stream
         */
        void take(Duration idleTimeout, Consumer<HttpStream> next);

        /** Closes the connection. */
        void close();
    }

    private UpgradeRequest() {}

    /**
     * Sends the request.
     *
     * @param target path and query, as sent
     * @param fields the header fields, including Host, Connection and Upgrade
     * @throws IllegalArgumentException if the target or a field cannot be sent in HTTP/1.1
     */
    public static void send(Connection connection, String target, Headers fields, Listener listener) {
        if (!target.startsWith("/")) {
            throw new IllegalArgumentException("the request's target must begin with a slash");
        }
        HeadExchange.begin(connection, "GET", target, fields, new Answer(connection, listener));
    }

    private record Answer(Connection connection, Listener listener) implements HeadExchange.Listener {

        @Override
        public void onHead(ResponseHead response, @Nullable Chunk unread) {
            Offer offer = new Offer(connection, unread);
            boolean kept = false;
            try {
                if (response.status() == SWITCHING_PROTOCOLS) {
                    listener.onUpgraded(response, offer);
                    kept = true;
                }
            } finally {
                if (!kept) {
                    offer.close();
                }
            }
            if (!kept) {
                listener.onRefused(response);
            }
        }

        @Override
        public void onFailed(IOException failure) {
            listener.onFailed(failure);
        }
    }

    private static final class Offer implements Upgraded {

        private final Connection connection;
        private @Nullable Chunk unread;

        Offer(Connection connection, @Nullable Chunk unread) {
            this.connection = connection;
            this.unread = unread;
        }

        @Override
        public void take(Duration idleTimeout, Consumer<HttpStream> next) {
            RawStream stream = new RawStream(connection, unread, idleTimeout, next);
            unread = null;
            connection.install(stream);
            stream.onReadable();
        }

        @Override
        public void close() {
            Chunk dropped = unread;
            unread = null;
            if (dropped != null) {
                dropped.release();
            }
            connection.close(null);
        }
    }
}
