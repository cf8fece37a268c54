package io.millrace.connector.ajp;

import io.millrace.http.Authority;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import io.millrace.net.IpLiteral;
import io.millrace.protocol.RequestAssembly;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.RequestRules;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Converts a packet to a request, or rejects it with a reason. */
final class RequestCheck {

    private final RequestRules rules;
    private final String scheme;
    private @Nullable RequestFault refusal;
    private @Nullable RequestHead head;
    private @Nullable AjpInfo info;

    RequestCheck(RequestRules rules, String scheme) {
        this.rules = rules;
        this.scheme = scheme;
    }

    /** Checks the packet. Null if it is accepted; otherwise the first reason, authentication before all others. */
    @Nullable
    RequestFault check(ForwardRequest sent, ConnectionInfo link) {
        RequestAssembly request = sent.request();
        refuse(sent.attributes().refusal());
        refuse(request.checkFields());
        HttpVersion version = version(sent.protocol());
        String method = sent.method() == null ? sent.attributes().storedMethod() : sent.method();
        String query = sent.attributes().query();
        boolean secure = sent.isTls() || sent.attributes().implyTls();
        String requestScheme = secure ? "https" : scheme;
        String target = query == null ? sent.uri() : sent.uri() + '?' + query;
        request.target(target, rules.path(sent.uri(), method), query, server(sent, requestScheme));
        refuse(version == null ? RequestFault.UNKNOWN_VERSION : null);
        refuse(RequestRules.check(method, query));
        refuse(request.checkTarget());
        InetSocketAddress remote = remote(sent);
        refuse(remote == null ? RequestFault.BAD_ADDRESS : null);
        if (refusal == null && method != null && version != null && remote != null) {
            head = request.head(method, version, requestScheme, request.announcedLength());
            info = new AjpInfo(link.direct(), local(sent, link), remote, frontEnd(sent.attributes(), secure));
        }
        return refusal;
    }

    RequestHead head() {
        if (head == null) {
            throw new IllegalStateException("no request was accepted");
        }
        return head;
    }

    AjpInfo info() {
        if (info == null) {
            throw new IllegalStateException("no request was accepted");
        }
        return info;
    }

    /** Records the reason, if it is the first. */
    private void refuse(@Nullable RequestFault why) {
        refusal = refusal == null ? why : refusal;
    }

    private static @Nullable HttpVersion version(String protocol) {
        return switch (protocol) {
            case "HTTP/1.1" -> HttpVersion.HTTP_1_1;
            case "HTTP/1.0", "HTTP/0.9" -> HttpVersion.HTTP_1_0;
            case "HTTP/2.0", "HTTP/2" -> HttpVersion.HTTP_2;
            default -> null;
        };
    }

    /** The name and port by which the client addressed the front end, if there is no Host field. */
    private static @Nullable String server(ForwardRequest sent, String scheme) {
        String host = sent.request().host();
        String name = sent.serverName();
        if (host != null && !host.isEmpty() || name.isEmpty()) {
            return null;
        }
        String server = name.indexOf(':') >= 0 && name.charAt(0) != '[' ? "[" + name + "]" : name;
        int port = sent.serverPort();
        return port == Authority.defaultPort(scheme.equals("https")) ? server : server + ":" + port;
    }

    private static @Nullable InetSocketAddress remote(ForwardRequest sent) {
        InetAddress address = IpLiteral.parse(IpLiteral.withoutScope(sent.remoteAddress()));
        if (address == null) {
            return null;
        }
        String port = sent.attributes().remotePort();
        return new InetSocketAddress(
                named(address, sent.remoteHost()), port == null ? 0 : Math.max(0, IpLiteral.parsePort(port)));
    }

    /** The front end's local address of its connection to the client. */
    private static InetSocketAddress local(ForwardRequest sent, ConnectionInfo link) {
        String reported = sent.attributes().localAddress();
        InetAddress address = reported == null ? null : IpLiteral.parse(IpLiteral.withoutScope(reported));
        if (address == null && link.local() instanceof InetSocketAddress own) {
            address = own.getAddress();
        }
        InetAddress known = address == null ? InetAddress.getLoopbackAddress() : address;
        return new InetSocketAddress(named(known, sent.serverName()), sent.serverPort());
    }

    /** The address with the host name that the front end reports, so that it is not looked up. */
    private static InetAddress named(InetAddress address, @Nullable String name) {
        if (name == null || name.isEmpty()) {
            return address;
        }
        try {
            return InetAddress.getByAddress(name, address.getAddress());
        } catch (UnknownHostException wrongLength) {
            return address;
        }
    }

    private static FrontEnd frontEnd(AjpAttributes attributes, boolean secure) {
        return FrontEnd.ofRequest(secure, attributes.tlsVersion(), attributes.cipherSuite(), attributes.notes());
    }

    /**
     * The client's connection to the front end, as reported by the front end.
     *
     * @param direct the front end's connection to this server
     */
    record AjpInfo(ConnectionInfo direct, SocketAddress local, SocketAddress remote, FrontEnd frontEnd)
            implements ConnectionInfo {

        @Override
        public boolean isSecure() {
            return frontEnd.secure();
        }

        @Override
        public SocketAddress sender() {
            return direct.sender();
        }
    }
}
