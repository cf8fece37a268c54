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
 * Asks a server for another protocol (RFC 9110, 7.8), as a client: sends one GET, reads the head of the response, and hands the
 * connection over if its status is 101. Interim responses before that are passed over. Otherwise the connection is closed: it
 * serves this one purpose.
 *
 * <p><b>Threads.</b> Begun by the connection's owner; what follows runs on its threads. No time limit of its own: whoever began it
 * closes the connection when it takes too long.
 */
public final class UpgradeRequest {

    private static final int SWITCHING_PROTOCOLS = 101;

    /** Learns how it ended: one call, once; must not block. */
    public interface Listener {

        /**
         * The server agrees. The listener checks the head, then takes the connection or closes it.
         *
         * @param response with status 101
         */
        void onUpgraded(ResponseHead response, Upgraded connection);

        /** The server answered otherwise; the connection is closed. */
        void onRefused(ResponseHead response);

        /** There is no response, or a malformed one; the connection is closed. */
        void onFailed(IOException failure);
    }

    /** A connection whose peer has switched protocols. */
    public interface Upgraded {

        /**
         * Takes it: its bytes are the stream's from now on.
         *
         * @param idleTimeout how long neither direction may move; zero for ever
         * @param next gets the stream
         */
        void take(Duration idleTimeout, Consumer<HttpStream> next);

        /** Closes it instead. */
        void close();
    }

    private UpgradeRequest() {}

    /**
     * Sends the request.
     *
     * @param target path and query, as they are to be sent
     * @param fields of the request, Host, Connection and Upgrade included
     * @throws IllegalArgumentException if the target or a field can't be sent in HTTP/1.1
     */
    public static void send(Connection connection, String target, Headers fields, Listener listener) {
        if (!target.startsWith("/")) {
            throw new IllegalArgumentException("the request's target must begin with /");
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
            Chunk mine = unread;
            unread = null;
            if (mine != null) {
                mine.release();
            }
            connection.close(null);
        }
    }
}
