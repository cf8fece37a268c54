package io.millrace;

import io.millrace.compression.Compression;
import io.millrace.compression.RequestDecompression;
import io.millrace.exchange.Attributes;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import io.millrace.protocol.Protocol;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.server.UnixSocketFile;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsOptions;
import io.millrace.workers.Workers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an operator configures for one port: where to listen, on which transport, and how to speak there. Immutable. */
public final class Connector {

    private final @Nullable String name;
    private final String transport;
    private final @Nullable String address;
    private final int port;
    private final Settings settings;
    private final List<Protocol> protocols;
    private final String scheme;
    private final boolean secure;
    private final @Nullable String proxyName;
    private final int proxyPort;
    private final @Nullable TlsOptions tls;
    private final @Nullable ProxyProtocol proxyProtocol;
    private final @Nullable Compression compression;
    private final @Nullable RequestDecompression decompression;
    private final @Nullable Workers workers;
    private final @Nullable UnixSocketFile unixSocket;
    private final boolean inherited;
    private final boolean bindOnInit;
    private final boolean required;
    private final Attributes attributes;
    private final @Nullable String summary;

    Connector(ConnectorBuilder from) {
        name = from.name;
        transport = from.transport;
        address = from.address;
        port = from.port;
        settings = from.settings;
        protocols = from.protocols;
        scheme = from.scheme;
        secure = from.secure;
        proxyName = from.proxyName;
        proxyPort = from.proxyPort;
        tls = from.tls;
        proxyProtocol = from.proxyProtocol;
        compression = from.compression;
        decompression = from.decompression;
        workers = from.workers;
        unixSocket = from.unixSocket;
        inherited = from.inherited;
        bindOnInit = from.bindOnInit;
        required = from.required;
        attributes = from.attributes;
        summary = from.summary;
    }

    /** A connector with Tomcat's defaults: NIO, port 8080 on all addresses. */
    public static ConnectorBuilder builder() {
        return new ConnectorBuilder();
    }

    /** In thread names and log lines. */
    public String name() {
        return name == null ? transport + "-" + port : name;
    }

    /** The name of the transport: {@code nio}, for one. */
    public String transport() {
        return transport;
    }

    /** The host name or address it listens on; null for all addresses. */
    public @Nullable String address() {
        return address;
    }

    /** The port asked for; 0 for a free one. {@link Server#ports()} tells which it became. */
    public int port() {
        return port;
    }

    /** What was said to be spoken here, the most preferred first; empty for HTTP/1.1. */
    public List<Protocol> protocols() {
        return protocols;
    }

    /** Can HTTP/1.1 be spoken here, so that a browser gets to this port? */
    public boolean isHttp() {
        return protocols.isEmpty()
                || protocols.stream().anyMatch(each -> each.id().equals(Http1Protocol.ID));
    }

    /** {@code http} or {@code https}: what requests are said to have come by. */
    public String scheme() {
        return scheme;
    }

    /** How TLS is spoken here; null if it is not. */
    public @Nullable TlsOptions tls() {
        return tls;
    }

    /** True if requests count as protected: because of TLS here, or because a front end ends it. */
    public boolean secure() {
        return secure;
    }

    /** The host name that requests are said to be sent to, whatever their Host field says; null to believe the field. */
    public @Nullable String proxyName() {
        return proxyName;
    }

    /** The port that requests are said to be sent to; 0 to believe the Host field, or for the scheme's own. */
    public int proxyPort() {
        return proxyPort;
    }

    /** How front ends may say by the PROXY protocol whom they speak for; null if they may not. */
    public @Nullable ProxyProtocol proxyProtocol() {
        return proxyProtocol;
    }

    /** Whether the server fails to start if this connector can't listen, rather than going on without it. */
    public boolean required() {
        return required;
    }

    /** What runs its requests if they may block; null for the server's. */
    @Nullable
    Workers workers() {
        return workers;
    }

    @Nullable
    Compression compression() {
        return compression;
    }

    @Nullable
    RequestDecompression decompression() {
        return decompression;
    }

    /** What requests that come by it know of it. Not changed any more. */
    Attributes attributes() {
        return attributes;
    }

    /** Where it listens instead of a port; null unless it is a Unix domain socket. */
    @Nullable
    UnixSocketFile unixSocket() {
        return unixSocket;
    }

    /** Does it listen where whoever started the process has said? */
    boolean isInherited() {
        return inherited;
    }

    /** Does it listen before the applications have started? */
    boolean bindOnInit() {
        return bindOnInit;
    }

    /** What the log says about it when it listens: its transport, if nothing else was set. */
    String summary() {
        return summary == null ? transport : summary;
    }

    /** How its sockets and threads are treated, and the limits of its protocols. */
    public Settings settings() {
        return settings;
    }

    TransportOptions transportOptions(BufferPool buffers, Timers timers) {
        return new TransportOptions(name(), settings, buffers, timers);
    }
}
