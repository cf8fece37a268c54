package io.millrace.forwarded;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.net.AddressSet;
import io.millrace.net.IpLiteral;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Believes {@code X-Forwarded-For} and its relatives, as Tomcat's RemoteIpValve does, from front ends that are trusted. The
 * list of addresses is read from the right, and the first that is not trusted is the client. Unlike in Tomcat, what is no
 * IP address ends the list there, so that nobody becomes {@code "unknown"} or worse; and a port that is no port and a host
 * that is no host are taken for missing. Immutable.
 */
public final class RemoteIp implements Relay {

    private final RemoteIpBuilder options;

    RemoteIp(RemoteIpBuilder options) {
        this.options = options;
    }

    /** With Tomcat's defaults: peers with private addresses are trusted, for the client's address and the scheme. */
    public static RemoteIpBuilder builder() {
        return new RemoteIpBuilder();
    }

    /** Trusts these front ends, for the client's address ({@code X-Forwarded-For}) and scheme ({@code -Proto}). */
    public static RemoteIp trusting(AddressSet frontEnds) {
        return builder().internalProxies(Trust.in(frontEnds)).build();
    }

    @Override
    public @Nullable RelayedRequest before(RequestHead head, ConnectionInfo connection) {
        Hop peer = Hop.peer(connection.remote());
        if (!options.internalProxies.includes(peer) && !options.trustedProxies.includes(peer)) {
            return null;
        }
        Headers headers = head.headers();
        List<String> names = ListField.elements(headers.all(options.remoteIpHeader));
        Chain chain = Chain.walk(peer, names, options.internalProxies, options.trustedProxies);
        Boolean https = https(headers);
        String scheme = https == null ? head.scheme() : https ? "https" : "http";
        String host = options.hostHeader == null ? null : ServerName.hostIn(headers.get(options.hostHeader));
        int port = https == null ? -1 : port(headers, https);
        SocketAddress local = local(connection.local(), host, port);
        RequestHead before = head.with(
                scheme,
                host == null && port < 0 ? head.authority() : authority(head, connection, scheme, host, port),
                chain.client() == null ? headers : rewritten(headers, chain));
        boolean secure = https == null ? connection.isSecure() : https;
        return new RelayedRequest(before, new RelayedInfo(connection, local, remote(connection, chain), secure));
    }

    @Override
    public boolean isLogged() {
        return options.requestAttributesEnabled;
    }

    /** True only if every front end says so; null if none says anything. */
    private @Nullable Boolean https(Headers headers) {
        if (options.protocolHeader == null) {
            return null;
        }
        List<String> said = ListField.elements(headers.all(options.protocolHeader));
        return said.isEmpty() ? null : said.stream().allMatch(options.protocolHeaderHttpsValue::equalsIgnoreCase);
    }

    private int port(Headers headers, boolean https) {
        String said = options.portHeader == null ? null : headers.get(options.portHeader);
        int port = said == null ? -1 : IpLiteral.parsePort(said.strip());
        return port > 0 ? port : https ? options.httpsServerPort : options.httpServerPort;
    }

    private static String authority(
            RequestHead head, ConnectionInfo connection, String scheme, @Nullable String host, int port) {
        ServerName name = ServerName.of(head.authority(), connection.local());
        name = host == null ? name : name.withHost(host);
        return (port < 0 ? name : name.withPort(port)).authority(scheme);
    }

    private static SocketAddress remote(ConnectionInfo connection, Chain chain) {
        if (chain.client() == null || !(chain.client().address() instanceof InetSocketAddress client)) {
            return connection.remote();
        }
        boolean portless = client.getPort() == 0 && connection.remote() instanceof InetSocketAddress;
        return portless
                ? new InetSocketAddress(client.getAddress(), ((InetSocketAddress) connection.remote()).getPort())
                : client;
    }

    private SocketAddress local(SocketAddress ours, @Nullable String host, int port) {
        if (!(ours instanceof InetSocketAddress inet) || inet.getAddress() == null) {
            return ours;
        }
        InetAddress address =
                options.changeLocalName && host != null ? named(host, inet.getAddress()) : inet.getAddress();
        return new InetSocketAddress(address, options.changeLocalPort && port >= 0 ? port : inet.getPort());
    }

    private static InetAddress named(String host, InetAddress address) {
        try {
            return InetAddress.getByAddress(host, address.getAddress());
        } catch (UnknownHostException wrongLength) {
            return address;
        }
    }

    /** What is settled is taken out, so that no application believes it again, and more of it. */
    private Headers rewritten(Headers headers, Chain chain) {
        Headers changed = headers.copy();
        replace(changed, options.remoteIpHeader, chain.rest());
        replace(changed, options.proxiesHeader, chain.proxies());
        return changed;
    }

    private static void replace(Headers headers, String name, List<String> values) {
        if (values.isEmpty()) {
            headers.remove(name);
        } else {
            headers.set(name, String.join(", ", values));
        }
    }
}
