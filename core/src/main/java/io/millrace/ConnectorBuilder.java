package io.millrace;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.Attributes;
import io.millrace.io.TransportOptions;
import io.millrace.protocol.Protocol;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import io.millrace.workers.Workers;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Configures a {@link Connector}. The defaults are Tomcat's. Not thread-safe. */
public final class ConnectorBuilder {

    @Nullable
    String name;

    @Nullable
    String transport;

    @Nullable
    String address;

    int port = 8080;
    Settings settings = Settings.DEFAULTS;
    List<Protocol> protocols = List.of();

    @Nullable
    Workers workers;

    final Attributes attributes = new Attributes();

    @Nullable
    String summary;

    @Nullable
    TlsOptions tls;

    ConnectorBuilder() {}

    /** The name in thread names and log messages. Default: transport and port, as in {@code nio-8080}. */
    public ConnectorBuilder name(String value) {
        name = Objects.requireNonNull(value);
        return this;
    }

    /**
     * Selects the transport by name. Its artifact, {@code millrace-connector-<name>}, must be on the class path or
     * module path. Default: the first of {@code nio}, {@code nio2}, {@code bio} and {@code apr} that is installed.
     */
    public ConnectorBuilder transport(String value) {
        transport = Objects.requireNonNull(value);
        return this;
    }

    /** The host name or IP address to listen on. Default: all addresses. */
    public ConnectorBuilder address(String value) {
        address = Objects.requireNonNull(value);
        return this;
    }

    /** The port to listen on; 0 picks a free one. Default: 8080. */
    public ConnectorBuilder port(int value) {
        if (value < 0 || value > 65_535) {
            throw new IllegalArgumentException("port is " + value + "; expected a value from 0 to 65535");
        }
        port = value;
        return this;
    }

    /**
     * Changes one setting. Those of sockets and threads are declared in {@link TransportOptions}; those of protocols in
     * {@link io.millrace.protocol.ProtocolOptions}, {@link io.millrace.protocol.HttpOptions} and {@link
     * io.millrace.http1.Http1Options}; those of servlet requests in {@code ServletOptions}; those of compression in
     * {@link io.millrace.compression.Compression} and {@link io.millrace.compression.RequestDecompression}; those of the
     * PROXY protocol in {@link ProxyProtocol}; others in {@link ConnectorOptions}.
     *
     * @throws IllegalArgumentException if the value is outside the setting's limits, or the setting belongs to TLS, and
     *     therefore to the argument of {@link #tls}
     */
    public <T> ConnectorBuilder with(Setting<T> setting, T value) {
        if (TlsHost.all().contains(setting) || TlsOptions.all().contains(setting)) {
            throw new IllegalArgumentException(
                    setting + " is a setting of TLS; expected it in the TlsOptions that tls is called with");
        }
        settings = settings.with(setting, value);
        return this;
    }

    /** Replaces all settings, including those made before. */
    public ConnectorBuilder settings(Settings value) {
        settings = Objects.requireNonNull(value);
        return this;
    }

    /** Uses this protocol instead of HTTP/1.1, for example AJP. The connector's settings of HTTP/1.1 are then ignored. */
    public ConnectorBuilder protocol(Protocol value) {
        return protocols(List.of(value));
    }

    /**
     * Uses these protocols instead of HTTP/1.1 with the connector's settings; the most preferred comes first. With TLS,
     * all of them are offered by ALPN. Without an agreed protocol, the first bytes of a connection select it, and must
     * arrive within {@link io.millrace.protocol.ProtocolOptions#CONNECTION_TIMEOUT}. Bytes that match no protocol are
     * passed to the first one, which rejects them.
     *
     * @throws IllegalArgumentException if the list is empty, or if two protocols have the same id
     */
    public ConnectorBuilder protocols(List<Protocol> value) {
        long different = value.stream().map(Protocol::id).distinct().count();
        if (value.isEmpty() || different < value.size()) {
            throw new IllegalArgumentException("the protocols are "
                    + value.stream().map(Protocol::id).toList() + "; expected at least one, and each once");
        }
        protocols = List.copyOf(value);
        return this;
    }

    /** Enables TLS on this port. Requests then report the scheme {@code https} and are secure. Default: plain text. */
    public ConnectorBuilder tls(TlsOptions value) {
        tls = Objects.requireNonNull(value);
        return this;
    }

    /**
     * Runs blocking handlers of this connector's requests on these workers instead of the server's. The caller closes
     * them after the server has stopped.
     */
    public ConnectorBuilder workers(Workers value) {
        workers = Objects.requireNonNull(value);
        return this;
    }

    /** Sets an attribute of every exchange on this connector. Handlers may replace it for their exchange. */
    public <T> ConnectorBuilder attribute(AttributeKey<T> key, T value) {
        attributes.put(key, value);
        return this;
    }

    /** The description in the log message that the connector is listening. Default: the transport. */
    public ConnectorBuilder summary(String value) {
        summary = Objects.requireNonNull(value);
        return this;
    }

    /**
     * Creates the connector.
     *
     * @throws IllegalArgumentException if settings contradict each other or need a later Java version; the message says
     *     what to change
     */
    public Connector build() {
        if (settings.get(TransportOptions.THREADS) == TransportOptions.Threads.VIRTUAL
                && Runtime.version().feature() < 21) {
            throw new IllegalArgumentException("virtual threads need Java 21 or later; this is Java "
                    + Runtime.version().feature() + ". Leave useVirtualThreads out, or run a later Java.");
        }
        if (ProxyProtocol.isOn(settings) && settings.get(ProxyProtocol.TRUSTED).isEmpty()) {
            throw new IllegalArgumentException(
                    "no address is trusted to send a PROXY protocol header; set those of the front ends");
        }
        attributes.put(Connector.SETTINGS, settings);
        return new Connector(this);
    }
}
