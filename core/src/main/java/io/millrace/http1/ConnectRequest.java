package io.millrace.http1;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import java.io.IOException;
import java.net.ProtocolException;
import org.jspecify.annotations.Nullable;

/**
 * The client side of CONNECT: requests a tunnel to a server from a proxy (RFC 9110, 9.3.6). If the proxy opens it, the
 * connection is passed to the listener as if the server itself had accepted it; otherwise it is closed.
 *
 * <p><b>Threads.</b> As for {@link UpgradeRequest}.
 */
public final class ConnectRequest {

    /** Receives the outcome: exactly one call, which must not block. */
    public interface Listener {

        /** The tunnel is open. The listener installs a handler and starts it, or closes the connection. */
        void onTunnel(Connection connection);

        /** The proxy sent another response; the connection is closed. */
        void onRefused(ResponseHead response);

        /** There is no response, or it is malformed; the connection is closed. */
        void onFailed(IOException failure);
    }

    private ConnectRequest() {}

    /**
     * Sends the request.
     *
     * @param authority host and port of the server
     * @param fields further header fields, such as Proxy-Authorization; Host is added
     * @throws IllegalArgumentException if the authority or a field cannot be sent in HTTP/1.1
     */
    public static void send(Connection connection, String authority, Headers fields, Listener listener) {
        Headers all = fields.copy().add("Host", authority);
        HeadExchange.begin(connection, "CONNECT", authority, all, new Answer(connection, listener));
    }

    private record Answer(Connection connection, Listener listener) implements HeadExchange.Listener {

        /** Ignores the framing in the head: a successful response to CONNECT has no body (RFC 9110, 9.3.6). */
        @Override
        public void onHead(ResponseHead response, @Nullable Chunk unread) {
            if (unread != null) {
                unread.release();
            }
            boolean open = response.status() / 100 == 2;
            if (open && unread == null) {
                listener.onTunnel(connection);
                return;
            }
            // The server waits for the client to send first, so these bytes cannot come from it.
            connection.close(null);
            if (open) {
                listener.onFailed(new ProtocolException(
                        "the proxy sent data after its response to CONNECT; expected none before the client's"));
            } else {
                listener.onRefused(response);
            }
        }

        @Override
        public void onFailed(IOException failure) {
            listener.onFailed(failure);
        }
    }
}
