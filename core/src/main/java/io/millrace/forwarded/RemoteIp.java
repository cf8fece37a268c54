package io.millrace.forwarded;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;

import io.millrace.http.Authority;
import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.net.AddressSet;
import io.millrace.net.IpLiteral;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates {@code X-Forwarded-For} and related fields of trusted front ends, like Tomcat's RemoteIpValve. The list of addresses
 * is read from the right; the first one that is not trusted is the client. Unlike in Tomcat, an element that is not an IP address
 * ends the list, so that the client's address never becomes {@code "unknown"}, for example; and invalid ports and hosts are
 * ignored. Immutable.
 */
public final class RemoteIp implements Relay {

    /** Private, shared, link-local and loopback addresses of both families, as in Tomcat. */
    private static final String PRIVATE_ADDRESSES = String.join(
            "|",
            "10\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}",
            "192\\.168\\.\\d{1,3}\\.\\d{1,3}",
            "169\\.254\\.\\d{1,3}\\.\\d{1,3}",
            "127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}",
            "100\\.6[4-9]{1}\\.\\d{1,3}\\.\\d{1,3}",
            "100\\.[7-9]{1}\\d{1}\\.\\d{1,3}\\.\\d{1,3}",
            "100\\.1[0-1]{1}\\d{1}\\.\\d{1,3}\\.\\d{1,3}",
            "100\\.12[0-7]{1}\\.\\d{1,3}\\.\\d{1,3}",
            "172\\.1[6-9]{1}\\.\\d{1,3}\\.\\d{1,3}",
            "172\\.2[0-9]{1}\\.\\d{1,3}\\.\\d{1,3}",
            "172\\.3[0-1]{1}\\.\\d{1,3}\\.\\d{1,3}",
            "0:0:0:0:0:0:0:1|::1",
            "fe[89ab]\\p{XDigit}:.*",
            "f[cd]\\p{XDigit}{2}+:.*");

    private static final SettingGroup GROUP = new SettingGroup();
    private static final SettingType<Integer> A_PORT = number(1, 65_535);

    /** Front ends that are trusted, and not listed in {@link #PROXIES_HEADER}. Default: those with private addresses. */
    public static final Setting<Trust> INTERNAL_PROXIES =
            GROUP.add("internalProxies", Trust.TYPE, Trust.parse(PRIVATE_ADDRESSES), PRIVATE_ADDRESSES);

    /** Front ends that are trusted and listed in {@link #PROXIES_HEADER}. */
    public static final Setting<Trust> TRUSTED_PROXIES = GROUP.add("trustedProxies", Trust.TYPE, Trust.nobody(), null);

    /** The field that lists the client and the front ends. */
    public static final Setting<String> REMOTE_IP_HEADER = GROUP.add("remoteIpHeader", TEXT, "X-Forwarded-For");

    /** The field that lists the trusted front ends for applications. */
    public static final Setting<String> PROXIES_HEADER = GROUP.add("proxiesHeader", TEXT, "X-Forwarded-By");

    /** The field with the scheme; empty for none. */
    public static final Setting<String> PROTOCOL_HEADER = GROUP.add("protocolHeader", TEXT, "X-Forwarded-Proto");

    /** The value of that field for HTTPS. Any other value means HTTP. */
    public static final Setting<String> PROTOCOL_HEADER_HTTPS_VALUE =
            GROUP.add("protocolHeaderHttpsValue", TEXT, "https");

    /** The port of requests whose scheme was reported as HTTP. */
    public static final Setting<Integer> HTTP_SERVER_PORT = GROUP.add("httpServerPort", A_PORT, 80);

    /** The port of requests whose scheme was reported as HTTPS. */
    public static final Setting<Integer> HTTPS_SERVER_PORT = GROUP.add("httpsServerPort", A_PORT, 443);

    /** The field with the host, usually {@code X-Forwarded-Host}; empty for none. */
    public static final Setting<String> HOST_HEADER = GROUP.add("hostHeader", TEXT, "");

    /** The field with the port, usually {@code X-Forwarded-Port}, which is used if the scheme is reported, too; empty for none. */
    public static final Setting<String> PORT_HEADER = GROUP.add("portHeader", TEXT, "");

    /** Whether the host also becomes the local host name of the connection. */
    public static final Setting<Boolean> CHANGE_LOCAL_NAME = GROUP.add("changeLocalName", BOOLEAN, false);

    /** Whether the port also becomes the local port of the connection. */
    public static final Setting<Boolean> CHANGE_LOCAL_PORT = GROUP.add("changeLocalPort", BOOLEAN, false);

    /** Whether access logs may show the original request. */
    public static final Setting<Boolean> REQUEST_ATTRIBUTES_ENABLED =
            GROUP.add("requestAttributesEnabled", BOOLEAN, true);

    /** Tomcat's defaults: peers with private addresses are trusted, for the client's address and the scheme. */
    public static final RemoteIp DEFAULT = new RemoteIp(Settings.DEFAULTS);

    private final Settings settings;

    private RemoteIp(Settings settings) {
        this.settings = settings;
    }

    /** Trusts these front ends, for the client's address ({@code X-Forwarded-For}) and scheme ({@code -Proto}). */
    public static RemoteIp trusting(AddressSet frontEnds) {
        return DEFAULT.with(INTERNAL_PROXIES, Trust.in(frontEnds));
    }

    /** The settings declared here. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /**
     * The same relay with another value of a setting declared here.
     *
     * @throws IllegalArgumentException if the setting is declared elsewhere, or the value is outside its limits
     */
    public <T> RemoteIp with(Setting<T> setting, T value) {
        return with(settings.with(all(), setting, value));
    }

    /** The same relay with these settings, where they are set. */
    public RemoteIp with(Settings value) {
        return new RemoteIp(settings.overriddenBy(value));
    }

    @Override
    public @Nullable RelayedRequest before(RequestHead head, ConnectionInfo connection) {
        Hop peer = Hop.peer(connection.remote());
        Trust internal = settings.get(INTERNAL_PROXIES);
        Trust trusted = settings.get(TRUSTED_PROXIES);
        if (!internal.includes(peer) && !trusted.includes(peer)) {
            return null;
        }
        Headers headers = head.headers();
        List<String> names = ListField.elements(headers.all(settings.get(REMOTE_IP_HEADER)));
        Chain chain = Chain.walk(peer, names, internal, trusted);
        Boolean https = https(headers);
        String scheme = https == null ? head.scheme() : https ? "https" : "http";
        String host = ServerName.hostIn(headers.get(settings.get(HOST_HEADER)));
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
    public boolean trustsIds(ConnectionInfo connection) {
        return settings.get(INTERNAL_PROXIES).includes(Hop.peer(connection.sender()));
    }

    @Override
    public boolean isLogged() {
        return settings.get(REQUEST_ATTRIBUTES_ENABLED);
    }

    /** Whether all front ends report HTTPS; null if none reports a scheme. */
    private @Nullable Boolean https(Headers headers) {
        List<String> schemes = ListField.elements(headers.all(settings.get(PROTOCOL_HEADER)));
        return schemes.isEmpty()
                ? null
                : schemes.stream().allMatch(settings.get(PROTOCOL_HEADER_HTTPS_VALUE)::equalsIgnoreCase);
    }

    private int port(Headers headers, boolean https) {
        String reported = headers.get(settings.get(PORT_HEADER));
        int port = reported == null ? -1 : IpLiteral.parsePort(reported.strip());
        return port > 0 ? port : https ? settings.get(HTTPS_SERVER_PORT) : settings.get(HTTP_SERVER_PORT);
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

    private SocketAddress local(SocketAddress actual, @Nullable String host, int port) {
        if (!(actual instanceof InetSocketAddress inet) || inet.getAddress() == null) {
            return actual;
        }
        InetAddress address =
                settings.get(CHANGE_LOCAL_NAME) && host != null ? named(host, inet.getAddress()) : inet.getAddress();
        return new InetSocketAddress(address, settings.get(CHANGE_LOCAL_PORT) && port >= 0 ? port : inet.getPort());
    }

    private static InetAddress named(String host, InetAddress address) {
        try {
            return InetAddress.getByAddress(host, address.getAddress());
        } catch (UnknownHostException wrongLength) {
            return address;
        }
    }

    /** Removes the evaluated addresses, so that no application evaluates them again. */
    private Headers rewritten(Headers headers, Chain chain) {
        Headers changed = headers.copy();
        replace(changed, settings.get(REMOTE_IP_HEADER), chain.rest());
        replace(changed, settings.get(PROXIES_HEADER), chain.proxies());
        return changed;
    }

    private static void replace(Headers headers, String name, List<String> values) {
        if (values.isEmpty()) {
            headers.remove(name);
        } else {
            headers.set(name, String.join(", ", values));
        }
    }

    /**
     * The hops of a request, from the peer back to the first one that is not trusted, which is the client, because it may have
     * invented the addresses left of its own. An element that is not an address ends the chain.
     *
     * @param client null if the field contains no client
     * @param proxies the front ends that are trusted, but not internal
     * @param rest the elements left of the client
     */
    private record Chain(@Nullable Hop client, List<String> proxies, List<String> rest) {

        /**
         * Evaluates a list of addresses from the right.
         *
         * @param names the elements of the field; the last one was added by the peer
         */
        static Chain walk(Hop peer, List<String> names, Trust internal, Trust trusted) {
            Deque<String> proxies = new ArrayDeque<>();
            if (!internal.includes(peer)) {
                proxies.addFirst(peer.text());
            }
            Hop client = null;
            int left = names.size();
            while (left > 0) {
                Hop hop = Hop.parse(names.get(left - 1));
                if (hop == null) {
                    break;
                }
                left--;
                client = hop;
                if (internal.includes(hop)) {
                    continue;
                }
                if (!trusted.includes(hop)) {
                    break;
                }
                proxies.addFirst(hop.text());
            }
            return new Chain(client, List.copyOf(proxies), names.subList(0, left));
        }
    }

    /**
     * The host and port that a request was sent to.
     *
     * @param host an IPv6 address in brackets
     * @param port -1 for the scheme's default
     */
    private record ServerName(String host, int port) {

        /** The host and port of the request; those of the connection if it has none. */
        static ServerName of(@Nullable String authority, SocketAddress local) {
            String host = Authority.hostOf(authority);
            if (authority == null || host == null) {
                return of(local);
            }
            boolean withPort = authority.length() > host.length();
            return new ServerName(host, withPort ? IpLiteral.parsePort(authority.substring(host.length() + 1)) : -1);
        }

        /** The host in a field, without the port; null if it is invalid. */
        static @Nullable String hostIn(@Nullable String field) {
            boolean valid = field != null && field.indexOf(',') < 0 && Authority.isValid(field);
            return valid ? Authority.hostOf(field) : null;
        }

        ServerName withHost(String other) {
            return new ServerName(other, port);
        }

        ServerName withPort(int other) {
            return new ServerName(host, other);
        }

        /** The authority of a request with this scheme. */
        String authority(String scheme) {
            return port < 0 || port == Authority.defaultPort(scheme.equals("https")) ? host : host + ":" + port;
        }

        private static ServerName of(SocketAddress local) {
            if (!(local instanceof InetSocketAddress inet) || inet.getAddress() == null) {
                return new ServerName("localhost", -1);
            }
            InetAddress address = inet.getAddress();
            String text = address.getHostAddress();
            return new ServerName(address instanceof Inet6Address ? "[" + text + "]" : text, inet.getPort());
        }
    }
}
