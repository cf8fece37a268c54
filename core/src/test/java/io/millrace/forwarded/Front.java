package io.millrace.forwarded;

import io.millrace.http.EncodedSlash;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.io.ConnectionInfo;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A request from a front end, and the result of a relay in one line. */
final class Front {

    private final Headers headers = new Headers();
    private @Nullable String authority = "origin:8080";
    private String peer = "10.0.0.1";

    static Front passing(String... fields) {
        Front front = new Front();
        for (int i = 0; i < fields.length; i += 2) {
            front.headers.add(fields[i], fields[i + 1]);
        }
        return front;
    }

    Front to(@Nullable String other) {
        authority = other;
        return this;
    }

    Front at(String address) {
        peer = address;
        return this;
    }

    /** Client, scheme, authority, and whether it is secure; a dash if the request is unchanged. */
    String through(Relay relay) {
        RelayedRequest before = before(relay);
        if (before == null) {
            return "-";
        }
        InetSocketAddress client = (InetSocketAddress) before.connection().remote();
        return client.getAddress().getHostAddress() + " " + before.head().scheme() + "://"
                + before.head().authority() + (before.connection().isSecure() ? " secure" : "");
    }

    @Nullable
    RelayedRequest before(Relay relay) {
        RequestPath path = RequestPath.parse("/", EncodedSlash.REJECT);
        if (path == null) {
            throw new IllegalStateException("no path");
        }
        RequestHead head = new RequestHead("GET", "/", path, null, HttpVersion.HTTP_1_1, "http", authority, headers, 0);
        return relay.before(head, new Peer(new InetSocketAddress(peer, 5000)));
    }

    private record Peer(SocketAddress remote) implements ConnectionInfo {
        @Override
        public SocketAddress local() {
            return new InetSocketAddress("10.0.0.99", 8080);
        }
    }
}
