package io.millrace.standalone;

import io.millrace.ConnectorOptions;
import io.millrace.http1.Http1Options;
import io.millrace.io.TransportOptions;
import io.millrace.io.VirtualThreads;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.connector.AjpConnector;
import io.millrace.standalone.config.connector.ThreadPools;
import io.millrace.standalone.config.schema.Element;
import io.millrace.text.Plural;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.material.TlsProviders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The one-line summary of a connector: check prints it, and it is logged when the server listens on the port. */
final class Summary {

    private Summary() {}

    /** The address, and the rest. */
    static String of(ServerConfig.Connector connector) {
        return where(connector) + ": " + (connector.isAdmin() ? "administration, " : "") + what(connector);
    }

    private static String where(ServerConfig.Connector connector) {
        Element values = connector.element();
        if (values.get(ConnectorOptions.USE_INHERITED_CHANNEL)) {
            return "the inherited socket";
        }
        String name = values.written(ConnectorOptions.INHERITED_SOCKET.name());
        if (name != null) {
            return "the inherited socket \"" + name + "\"";
        }
        String socket = values.written(ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH.name());
        if (socket != null) {
            return "socket " + socket;
        }
        String address = connector.address();
        return "port " + (connector.port() == 0 ? "0 (any free one)" : String.valueOf(connector.port()))
                + (address == null ? " on all addresses" : " on " + address);
    }

    /** Protocols, transport, TLS, limits. */
    static String what(ServerConfig.Connector connector) {
        Element values = connector.element();
        return protocols(connector) + " over "
                + InstalledTransports.titled(connector.transport()) + connector.transportRemark()
                + proxyProtocol(values) + ", " + (connector.isAjp() ? trust(values) : tls(connector)) + "; "
                + limit(values.get(TransportOptions.MAX_CONNECTIONS), "connection") + ", "
                + threads(connector) + ", " + (connector.isAjp() ? ajpSizes(values) : httpSizes(values));
    }

    private static String protocols(ServerConfig.Connector connector) {
        return connector.isAjp() ? "AJP/1.3" : list(names(connector));
    }

    /** The most preferred first. */
    private static List<String> names(ServerConfig.Connector connector) {
        List<String> names = new ArrayList<>();
        if (connector.http2() != null) {
            names.add("HTTP/2");
        }
        connector.spdy().forEach(spdy -> names.add("SPDY/" + spdy.shown("version")));
        if (!connector.isSpdy()) {
            names.add("HTTP/1.1");
        }
        return names;
    }

    private static String list(List<String> names) {
        int last = names.size() - 1;
        return last == 0 ? names.get(0) : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }

    private static String httpSizes(Element values) {
        return "headers "
                + values.get(HttpOptions.MAX_REQUEST_HEADER_SIZE)
                + " bytes, forms " + limit(values.get(ServletOptions.MAX_POST_SIZE), "byte") + ", "
                + times(values.settings())
                + ", "
                + limit(values.get(Http1Options.MAX_KEEP_ALIVE_REQUESTS), "request") + " a connection";
    }

    private static String ajpSizes(Element values) {
        return "packets " + values.shown("packetSize") + " bytes, forms "
                + limit(values.get(ServletOptions.MAX_POST_SIZE), "byte") + ", " + times(values.settings());
    }

    private static String times(Settings settings) {
        return "timeout " + millis(settings.get(ProtocolOptions.CONNECTION_TIMEOUT)) + ", keep-alive "
                + millis(ProtocolOptions.keepAliveTimeout(settings));
    }

    private static String millis(Duration time) {
        return time.isZero() ? "never" : time.toMillis() + " ms";
    }

    /** Never the secret itself. */
    private static String trust(Element values) {
        return AjpConnector.hasSecret(values) ? "with a secret" : "without a secret: every connection is trusted";
    }

    /** The TLS implementation and the protocols of ALPN; certificates have lines of their own. */
    private static String tls(ServerConfig.Connector connector) {
        TlsOptions tls = connector.tls();
        if (tls == null) {
            return "no TLS";
        }
        String protocols = list(names(connector).stream()
                .map(name -> name.equals("HTTP/2") ? "h2" : name.toLowerCase(Locale.ROOT))
                .toList());
        return "TLS by " + implementation(tls.get(TlsOptions.IMPLEMENTATION)) + " with " + protocols + " by ALPN";
    }

    static String implementation(TlsImplementation wanted) {
        try {
            return TlsProviders.describe(wanted);
        } catch (IllegalStateException reportedAtStart) {
            return wanted.name().toLowerCase(Locale.ROOT);
        }
    }

    private static String threads(ServerConfig.Connector connector) {
        Element executor = connector.executor();
        boolean own = connector.transport().equals("bio");
        String shared = executor == null ? "" : (own ? " as in " : " of ") + executor.find(ThreadPools.NAME);
        boolean virtual = connector.isVirtual()
                || own
                        && !connector.element().isSet(TransportOptions.THREADS)
                        && executor == null
                        && VirtualThreads.areAvailable();
        return (virtual
                        ? "virtual threads"
                        : Plural.of(connector.threads().get(TransportOptions.MAX_THREADS), "thread"))
                + shared;
    }

    private static String proxyProtocol(Element values) {
        return ProxyProtocol.isOn(values.settings())
                ? ", PROXY protocol " + values.shown(ProxyProtocol.PRESENCE.name()) + " from "
                        + values.shown(ProxyProtocol.TRUSTED.name())
                : "";
    }

    private static String limit(long value, String noun) {
        return value < 0 ? "any number of " + noun + "s" : Plural.of(value, noun);
    }
}
