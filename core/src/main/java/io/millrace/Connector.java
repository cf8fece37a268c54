package io.millrace;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.Attributes;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.BufferPool;
import io.millrace.io.ConnectionMeter;
import io.millrace.io.DefaultTransport;
import io.millrace.io.InheritedAddress;
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

/** The configuration of one port: address, transport, protocols and settings. Immutable. */
public final class Connector {

    /** The attribute of an exchange that holds the settings of its connector. */
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
    private final String summary;

    Connector(ConnectorBuilder from) {
        name = from.name;
        transport = from.transport == null ? DefaultTransport.name() : from.transport;
        address = from.address;
        port = from.port;
        settings = from.settings;
        protocols = from.protocols;
        tls = from.tls;
        workers = from.workers;
        attributes = from.attributes;
        String remark = from.transport == null ? DefaultTransport.remark(transport) : "";
        summary = from.summary == null ? transport + remark : from.summary;
    }

    /** A builder with Tomcat's defaults: the nio transport if it is installed, port 8080, all addresses. */
    public static ConnectorBuilder builder() {
        return new ConnectorBuilder();
    }

    /** The name in thread names and log messages. */
    public String name() {
        return name == null ? transport + "-" + port : name;
    }

    /** The name of the transport, {@code nio} for example. */
    public String transport() {
        return transport;
    }

    /** The host name or address it listens on; null for all addresses. */
    public @Nullable String address() {
        return address;
    }

    /** The configured port; 0 picks a free one, which {@link Server#ports()} returns. */
    public int port() {
        return port;
    }

    /** The configured protocols, the most preferred first; empty for HTTP/1.1 alone. */
    public List<Protocol> protocols() {
        return protocols;
    }

    /** Whether the connector accepts HTTP/1.1. */
    public boolean isHttp() {
        return protocols.isEmpty()
                || protocols.stream().anyMatch(each -> each.id().equals(Http1Protocol.ID));
    }

    /** The scheme that requests report: {@code http} or {@code https}. */
    public String scheme() {
        return tls == null ? settings.get(ConnectorOptions.SCHEME) : "https";
    }

    /** The TLS settings; null for plain text. */
    public @Nullable TlsOptions tls() {
        return tls;
    }

    /** Whether requests are reported as secure, because this connector or a front end terminates TLS. */
    public boolean secure() {
        return tls != null || settings.get(ConnectorOptions.SECURE);
    }

    /** The workers of this connector; null for the server's. */
    @Nullable
    Workers workers() {
        return workers;
    }

    /** The initial attributes of its exchanges. Not modified after the connector has been built. */
    Attributes attributes() {
        return attributes;
    }

    /** The Unix domain socket to listen on; null if it listens on a port. */
    @Nullable
    UnixSocketFile unixSocket() {
        Path file = settings.find(ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH);
        return file == null
                ? null
                : new UnixSocketFile(file, settings.get(ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH_PERMISSIONS));
    }

    /** The inherited socket to listen on; null for another one. */
    @Nullable
    InheritedAddress inherited() {
        String name = settings.find(ConnectorOptions.INHERITED_SOCKET);
        if (name != null) {
            return InheritedAddress.named(name);
        }
        return settings.get(ConnectorOptions.USE_INHERITED_CHANNEL) ? InheritedAddress.INSTANCE : null;
    }

    /** The description in the log message that the connector is listening; by default the transport. */
    String summary() {
        return summary;
    }

    /** The settings of its sockets, threads and protocols. */
    public Settings settings() {
        return settings;
    }

    TransportOptions transportOptions(BufferPool buffers, Timers timers) {
        return new TransportOptions(name(), settings, buffers, timers, new ConnectionMeter());
    }
}
