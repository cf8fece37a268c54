package io.millrace.forwarded;

import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.net.AddressSet;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates {@code Forwarded} (RFC 7239) from trusted front ends, and ignores {@code X-Forwarded-For} and related
 * fields: otherwise a client could choose the field that the front end does not overwrite. Elements are read from the
 * right, as long as each one was added by a trusted address; the last one read determines client, scheme and host. What
 * it does not contain remains unchanged; if the client is {@code unknown} or obfuscated, the client address remains that
 * of the front end. Immutable.
 */
public final class ForwardedField implements Relay {

    private final AddressSet trusted;

    private ForwardedField(AddressSet trusted) {
        this.trusted = trusted;
    }

    /** Trusts the front ends at these addresses. */
    public static ForwardedField trusting(AddressSet frontEnds) {
        return new ForwardedField(frontEnds);
    }

    @Override
    public @Nullable RelayedRequest before(RequestHead head, ConnectionInfo connection) {
        if (!trusted.contains(connection.remote())) {
            return null;
        }
        List<String> elements = ListField.elements(head.headers().all("Forwarded"));
        SocketAddress client = connection.remote();
        ForwardedElement last = null;
        for (int i = elements.size() - 1; i >= 0 && trusted.contains(client); i--) {
            ForwardedElement element = ForwardedElement.parse(elements.get(i));
            if (element == null) {
                break;
            }
            last = element;
            if (element.client() == null) {
                break;
            }
            client = element.client();
        }
        return last == null ? null : relayed(head, connection, client, last);
    }

    @Override
    public boolean trustsIds(ConnectionInfo connection) {
        return trusted.contains(connection.sender());
    }

    private static RelayedRequest relayed(
            RequestHead head, ConnectionInfo connection, SocketAddress client, ForwardedElement element) {
        String scheme = element.scheme() == null ? head.scheme() : element.scheme();
        String authority = element.host() == null ? head.authority() : element.host();
        boolean secure = element.scheme() == null ? connection.isSecure() : scheme.equals("https");
        return new RelayedRequest(
                head.with(scheme, authority, head.headers()),
                new RelayedInfo(connection, connection.local(), client, secure));
    }
}
