package io.millrace;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.Attributes;
import io.millrace.io.TransportOptions;
import io.millrace.protocol.Protocol;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsOptions;
import io.millrace.workers.Workers;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Describes a {@link Connector}. What is not set has Tomcat's default. */
public final class ConnectorBuilder {

    @Nullable
    String name;

    String transport = "nio";

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

    /** What thread names and log lines call it; transport and port otherwise, as in {@code nio-8080}. */
    public ConnectorBuilder name(String value) {
        name = Objects.requireNonNull(value);
        return this;
    }

    /** The transport by name; {@code nio} otherwise. Its artifact, {@code millrace-connector-<name>}, must be present. */
    public ConnectorBuilder transport(String value) {
        transport = Objects.requireNonNull(value);
        return this;
    }

    /** The host name or IP address to listen on; all addresses otherwise. */
    public ConnectorBuilder address(String value) {
        address = Objects.requireNonNull(value);
        return this;
    }

    /** The port to listen on; 0 picks a free one. 8080 otherwise. */
    public ConnectorBuilder port(int value) {
        if (value < 0 || value > 65_535) {
            throw new IllegalArgumentException("port is " + value + "; expected a value from 0 to 65535");
        }
        port = value;
        return this;
    }

    /**
     * Changes one setting: those of sockets and threads are declared in {@link TransportOptions}, those of
     * protocols in {@link io.millrace.protocol.ProtocolOptions}, {@link io.millrace.protocol.HttpOptions} and
     * {@link io.millrace.http1.Http1Options}, those of servlet requests in {@code ServletOptions}, those of compression in
     * {@link io.millrace.compression.Compression} and {@link io.millrace.compression.RequestDecompression}, those of the PROXY
     * protocol in {@link ProxyProtocol}, and others in {@link ConnectorOptions}. What is not set has its default.
     *
     * @throws IllegalArgumentException if the value is beyond the setting's limits
     */
    public <T> ConnectorBuilder with(Setting<T> setting, T value) {
        settings = settings.with(setting, value);
        return this;
    }

    /** All settings at once, in place of those made before. */
    public ConnectorBuilder settings(Settings value) {
        settings = Objects.requireNonNull(value);
        return this;
    }

    /** Speaks another protocol than HTTP/1.1, such as AJP; the settings of HTTP/1.1 are of no consequence then. */
    public ConnectorBuilder protocol(Protocol value) {
        return protocols(List.of(value));
    }

    /**
     * Speaks these protocols, the most preferred first, instead of HTTP/1.1 with these settings. TLS offers all of them by
     * ALPN; where nothing was agreed on, a connection's first bytes tell, for which it has the
     * {@link io.millrace.protocol.ProtocolOptions#CONNECTION_TIMEOUT}. Bytes that no protocol recognises are the first one's to refuse.
     *
     * @throws IllegalArgumentException if there is none, or two of them have the same id
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

    /** Protects this port by TLS: requests come by {@code https} and count as protected. Plain text otherwise. */
    public ConnectorBuilder tls(TlsOptions value) {
        tls = Objects.requireNonNull(value);
        return this;
    }

    /** Runs its requests if they may block, instead of the server's workers. The caller ends it, after the server. */
    public ConnectorBuilder workers(Workers value) {
        workers = Objects.requireNonNull(value);
        return this;
    }

    /** What handlers find among the attributes of each exchange that comes by this connector, unless they set it. */
    public <T> ConnectorBuilder attribute(AttributeKey<T> key, T value) {
        attributes.put(key, value);
        return this;
    }

    /** What the log says about the connector when it listens; the transport's name otherwise. */
    public ConnectorBuilder summary(String value) {
        summary = Objects.requireNonNull(value);
        return this;
    }

    /**
     * The connector.
     *
     * @throws IllegalArgumentException if settings do not fit each other or this Java, saying what to do
     */
    public Connector build() {
        if (settings.get(TransportOptions.THREADS) == TransportOptions.Threads.VIRTUAL
                && Runtime.version().feature() < 21) {
            throw new IllegalArgumentException("virtual threads need Java 21 or later; this is Java "
                    + Runtime.version().feature() + ". Leave useVirtualThreads out, or run a later Java.");
        }
        if (ProxyProtocol.isOn(settings) && settings.get(ProxyProtocol.TRUSTED).isEmpty()) {
            throw new IllegalArgumentException(
                    "nobody is trusted to send a PROXY protocol header; name the addresses of the front ends");
        }
        attributes.put(Connector.SETTINGS, settings);
        return new Connector(this);
    }
}
