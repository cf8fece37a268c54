package io.millrace.proxy;

import io.millrace.client.ClientRequest;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.OwnFields;
import io.millrace.exchange.RequestId;
import io.millrace.http.Authority;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.Method;
import io.millrace.http.RequestHead;
import io.millrace.http.Tokens;
import io.millrace.http.TrailerSyntax;
import io.millrace.io.ConnectionInfo;
import io.millrace.proxyprotocol.ProxyHeaderEncoder;
import io.millrace.settings.Settings;
import io.millrace.websocket.WebSocketHandshake;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Creates the request for a backend from the client's: serialized again from its parts, never forwarded as received. */
final class RequestRewrite {

    private static final String UPGRADE = "websocket";
    private static final String X_FORWARDED = "X-Forwarded-";

    /** The attribute that mod_jk sends to a draining backend, for Tomcat's LoadBalancerDrainingValve. */
    private static final Map<String, String> DRAINING = Map.of("JK_LB_ACTIVATION", "DIS");

    private final boolean preserveHost;
    private final boolean dropsUnusual;

    /** The names of {@link ProxyOptions#FRONT_END_HEADERS}, folded and in lower case. */
    private final Set<String> further;

    private final String forwarded;
    private final String via;

    RequestRewrite(Settings settings) {
        preserveHost = settings.get(ProxyOptions.PRESERVE_HOST);
        dropsUnusual = settings.get(ProxyOptions.DROP_UNUSUAL_HEADERS);
        further = settings.get(ProxyOptions.FRONT_END_HEADERS).stream()
                .map(name -> FieldSyntax.plain(name).toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        forwarded = settings.get(ProxyOptions.FORWARDED);
        via = settings.get(ProxyOptions.VIA);
    }

    /**
     * The request for a backend.
     *
     * @param key the Sec-WebSocket-Key for a client of HTTP/2, which sends none (RFC 8441); otherwise null
     * @param upgrades whether a WebSocket handshake is sent as one; otherwise its Upgrade is ignored
     * @throws IllegalArgumentException if it cannot be sent in HTTP/1.1
     */
    ClientRequest rewrite(HttpExchange exchange, Backend backend, @Nullable String key, boolean upgrades) {
        RequestHead head = exchange.request();
        Headers fields = new Headers();
        fields.add("Host", host(head, backend));
        RequestId id = RequestId.of(exchange);
        copy(head, fields, id);
        if (id != null) {
            fields.add(RequestId.FIELD, id.value());
            fields.add(RequestId.TRACE_FIELD, id.nextTraceparent());
        }
        forward(head, exchange.channel().info(), fields);
        if (Tokens.contains(head.headers().all("TE"), "trailers")) {
            fields.add("TE", "trailers");
        }
        if (key != null) {
            fields.set("Sec-WebSocket-Key", key);
        }
        String forwards = MaxForwards.next(head);
        if (forwards != null) {
            fields.set(MaxForwards.NAME, forwards);
        }
        if (!via.isEmpty()) {
            fields.add("Via", version(head.version()) + " " + via);
        }
        String target = head.path().isAsterisk()
                ? "*"
                : head.query() == null ? head.path().raw() : head.path().raw() + "?" + head.query();
        return new ClientRequest(
                head.method(),
                target,
                fields,
                bodyLength(head),
                upgrades && isUpgrade(head) ? UPGRADE : null,
                exchange.channel().info(),
                backend.state() == BackendState.DRAINING ? DRAINING : Map.of());
    }

    /** The trailer fields for a backend, which may merge them into the head: none that a client may not send in the head. */
    Headers trailers(Headers from, RequestHead head, HttpExchange exchange) {
        HopByHop hopByHop = new HopByHop(head.headers());
        Headers passed = new Headers();
        for (int i = 0; i < from.size(); i++) {
            String name = from.name(i);
            boolean isClients = !hopByHop.contains(name) && !OwnFields.contain(exchange, name);
            if (isClients && TrailerSyntax.isAllowed(name) && isPassed(name)) {
                passed.add(name, from.value(i));
            }
        }
        return passed;
    }

    /** The PROXY protocol header of a connection that is used for this client only. */
    static ByteBuffer preface(ConnectionInfo client) {
        return ProxyHeaderEncoder.encode(client.remote(), client.local());
    }

    /**
     * The length of a request's body in octets; -1 if it is unknown. An HTTP/1.x request without length and Transfer-Encoding has no
     * body (RFC 9112, 6.3). That applies to AJP, too, where reading a body that does not exist would break the front end's connection.
     */
    static long bodyLength(RequestHead head) {
        long announced = head.contentLength();
        boolean framed = head.version() == HttpVersion.HTTP_1_1 || head.version() == HttpVersion.HTTP_1_0;
        return announced < 0 && framed && !head.headers().contains("Transfer-Encoding") ? 0 : announced;
    }

    /**
     * Whether it is a WebSocket handshake. Upgrades to other protocols are not forwarded, nor are handshakes without a valid key: in HTTP/2 there is no
     * key, so that only the proxy can check it.
     */
    static boolean isUpgrade(RequestHead head) {
        return head.headers().contains("Upgrade")
                && Tokens.contains(head.headers().all("Upgrade"), UPGRADE)
                && head.method().equals(Method.GET)
                && head.version() != HttpVersion.HTTP_1_0
                && bodyLength(head) == 0
                && Tokens.contains(head.headers().all("Connection"), "upgrade")
                && (head.version() == HttpVersion.HTTP_2 || WebSocketHandshake.hasValidKey(head));
    }

    /** Whether a path contains dot segments, possibly encoded. A backend could resolve them to a path that was not permitted here. */
    static boolean hasDotSegments(String rawPath) {
        if (rawPath.indexOf('.') < 0 && rawPath.indexOf('%') < 0) {
            return false; // the common case
        }
        String plain = rawPath.toLowerCase(Locale.ROOT).replace("%2e", ".").replace("%2f", "/");
        if (plain.indexOf('.') < 0) {
            return false;
        }
        for (String segment : plain.split("/", -1)) {
            int parameter = segment.indexOf(';');
            String name = parameter < 0 ? segment : segment.substring(0, parameter);
            if (name.equals(".") || name.equals("..")) {
                return true;
            }
        }
        return false;
    }

    private String host(RequestHead head, Backend backend) {
        String authority = head.authority();
        return preserveHost && authority != null && Authority.isValid(authority)
                ? authority
                : backend.address().authority();
    }

    private void copy(RequestHead head, Headers to, @Nullable RequestId id) {
        Headers from = head.headers();
        HopByHop hopByHop = new HopByHop(from);
        List<String> cookies = from.all("Cookie");
        for (int i = 0; i < from.size(); i++) {
            String name = from.name(i);
            if (!hopByHop.contains(name) && !isSetHere(name) && isPassed(name) && !isReplaced(name, id)) {
                to.add(name, from.value(i));
            }
        }
        if (!cookies.isEmpty()) {
            to.add("Cookie", String.join("; ", cookies)); // HTTP/2 clients send several (RFC 9113, 8.2.3)
        }
    }

    /** Whether it is set by {@link #rewrite}. */
    private static boolean isSetHere(String name) {
        return name.equalsIgnoreCase("Host") || name.equalsIgnoreCase("Cookie");
    }

    /** Whether it is an id that this server has replaced. A tracestate belongs to the trace that the front end sent. */
    private static boolean isReplaced(String name, @Nullable RequestId id) {
        return id != null
                && (name.equalsIgnoreCase(RequestId.FIELD)
                        || name.equalsIgnoreCase(RequestId.TRACE_FIELD)
                        || name.equalsIgnoreCase(RequestId.TRACE_STATE_FIELD) && !id.isContinued());
    }

    /**
     * Whether a client may send a field of this name to backends. Names are compared as backends see them that replace characters, with '_' or
     * '-' for all but letters and digits (RFC 3875, 4.1.18; PHP): X.Forwarded_For may be X-Forwarded-For there.
     */
    private boolean isPassed(String name) {
        String plain = FieldSyntax.plain(name);
        boolean unusual = !plain.equals(name);
        return !(unusual && (dropsUnusual || HopByHop.isAlways(plain)))
                && !isOfFrontEnds(plain)
                && (further.isEmpty() || !further.contains(plain.toLowerCase(Locale.ROOT)));
    }

    /**
     * Is it a field that backends trust if it is from a front end: the address of its client, or the certificate (RFC 9440, 2.4; SSL_…
     * of httpd and Tomcat's SSLValve)? A client could use it to impersonate another one. CGI programs take Proxy for the environment's
     * HTTP_PROXY (CVE-2016-5385).
     */
    private static boolean isOfFrontEnds(String plain) {
        return startsWith(plain, X_FORWARDED)
                || startsWith(plain, "SSL-")
                || startsWith(plain, "X-SSL-")
                || plain.equalsIgnoreCase("Client-Cert")
                || plain.equalsIgnoreCase("Client-Cert-Chain")
                || plain.equalsIgnoreCase("Forwarded")
                || plain.equalsIgnoreCase("Proxy")
                || plain.equalsIgnoreCase("X-Real-IP");
    }

    private static boolean startsWith(String name, String start) {
        return name.regionMatches(true, 0, start, 0, start.length());
    }

    /** Adds the client's address, which a trusted front end may have reported: it is then in the connection's info. */
    private void forward(RequestHead head, ConnectionInfo info, Headers fields) {
        SocketAddress remote = info.remote();
        SocketAddress sender = info.direct().remote();
        String client = host(remote);
        String front = sender.equals(remote) ? client : host(sender);
        boolean relayed = !client.equals(front);
        String authority = head.authority();
        switch (forwarded) {
            case "x-forwarded" -> {
                fields.add("X-Forwarded-For", relayed ? client + ", " + front : client);
                fields.add("X-Forwarded-Proto", head.scheme());
                if (authority != null) {
                    fields.add("X-Forwarded-Host", authority);
                }
                if (info.local() instanceof InetSocketAddress local) {
                    fields.add("X-Forwarded-Port", Integer.toString(local.getPort()));
                }
            }
            case "forwarded" -> {
                String element = "for=" + node(client) + ";proto=" + head.scheme()
                        + (authority == null ? "" : ";host=\"" + authority + "\"");
                fields.add("Forwarded", relayed ? element + ", for=" + node(front) : element);
            }
            default -> {}
        }
    }

    private static String host(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : "127.0.0.1"; // a client on a Unix domain socket is a process on this machine
    }

    /** An IPv6 address is enclosed in brackets and quoted (RFC 7239, 6). */
    private static String node(String host) {
        return host.indexOf(':') < 0 ? host : "\"[" + host + "]\"";
    }

    private static String version(HttpVersion version) {
        return version.toString().substring("HTTP/".length());
    }
}
