package io.millrace.forwarded;

import io.millrace.http.Authority;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import org.jspecify.annotations.Nullable;

/**
 * A front end that adds nothing to requests, and whose name, port and use of TLS are configured. If it reports with the
 * PROXY protocol that the client uses TLS, the scheme is {@code https}.
 *
 * @param secure whether requests are secure
 * @param name the host name that requests report; null to use that of the request
 * @param port the port that requests report; 0 to use that of the request, or the scheme's default
 */
public record FixedFrontEnd(boolean secure, @Nullable String name, int port) implements Relay {

    @Override
    public @Nullable RelayedRequest before(RequestHead head, ConnectionInfo connection) {
        FrontEnd frontEnd = connection.frontEnd();
        boolean overTls = frontEnd != null && frontEnd.secure();
        boolean secured = secure && !connection.isSecure();
        if (!overTls && !secured && name == null && port == 0) {
            return null;
        }
        RequestHead relayed = head.with(overTls ? "https" : head.scheme(), authority(head.authority()), head.headers());
        return new RelayedRequest(
                relayed,
                secured ? new RelayedInfo(connection, connection.local(), connection.remote(), true) : connection);
    }

    private @Nullable String authority(@Nullable String sent) {
        if (name == null && port == 0) {
            return sent;
        }
        String host = name == null ? Authority.hostOf(sent) : name;
        return port == 0 || host == null ? host : host + ":" + port;
    }
}
