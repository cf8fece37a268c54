package io.millrace.forwarded;

import io.millrace.http.Authority;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import org.jspecify.annotations.Nullable;

/**
 * A front end that says nothing with its requests, and what is known beforehand of it: its name and port, and whether it
 * ends TLS. Or it has said by the PROXY protocol, once for the connection, that the client came by TLS: then the scheme is
 * {@code https}.
 *
 * @param secure whether requests count as protected
 * @param name the host that requests are said to be sent to; null to believe them
 * @param port the port that requests are said to be sent to; 0 to believe them, or for the scheme's own
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
