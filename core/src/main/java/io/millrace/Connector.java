package io.millrace;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.Attributes;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import io.millrace.protocol.Protocol;
import io.millrace.server.UnixSocketFile;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsOptions;
import io.millrace.workers.Workers;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an operator configures for one port: where to listen, on which transport, and how to speak there. Immutable. */
public final class Connector {

    /** Where handlers find the settings of the connector that an exchange came by. */
    public static final AttributeKey<Settings> SETTINGS = AttributeKey.of("settings", Settings.class);

    private final @Nullable String name;
    private final String transport;
    private final @Nullable String address;
    private final int port;
    private final Settings settings;
    private final List<Protocol> protocols;
    private final @Nullable TlsOptions tls;
    private final @Nullable Workers workers;
    private final Attributes attributes;
    private final @Nullable String summary;

    Connector(ConnectorBuilder from) {
        name = from.name;
        transport = from.transport;
        address = from.address;
        port = from.port;
        settings = from.settings;
        protocols = from.protocols;
        tls = from.tls;
        workers = from.workers;
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
        return tls == null ? settings.get(ConnectorOptions.SCHEME) : "https";
    }

    /** How TLS is spoken here; null if it is not. */
    public @Nullable TlsOptions tls() {
        return tls;
    }

    /** True if requests count as protected: because of TLS here, or because a front end ends it. */
    public boolean secure() {
        return tls != null || settings.get(ConnectorOptions.SECURE);
    }

    /** What runs its requests if they may block; null for the server's. */
    @Nullable
    Workers workers() {
        return workers;
    }

    /** What requests that come by it know of it. Not changed any more. */
    Attributes attributes() {
        return attributes;
    }

    /** Where it listens instead of a port; null unless it is a Unix domain socket. */
    @Nullable
    UnixSocketFile unixSocket() {
        Path file = settings.find(ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH);
        return file == null
                ? null
                : new UnixSocketFile(file, settings.get(ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH_PERMISSIONS));
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
