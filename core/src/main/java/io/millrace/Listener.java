package io.millrace;

import io.millrace.exchange.RequestMeter;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionLayer;
import io.millrace.io.ConnectionMeter;
import io.millrace.io.OpenConnection;
import io.millrace.io.ReachedLimits;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.jmx.Bean;
import io.millrace.log.CoreLog;
import io.millrace.metrics.MetricGroup;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.ProtocolChooser;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.proxyprotocol.ProxyProtocolLayer;
import io.millrace.server.ConnectorMetrics;
import io.millrace.server.Endpoint;
import io.millrace.server.StartupHold;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.layer.TlsLayer;
import io.millrace.tls.material.ReloadingEngines;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.UnsupportedAddressTypeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connector of a running server: its transport, bound to an address, and its protocols. */
final class Listener {

    private final Connector connector;
    private final Transport transport;
    private final Protocol first;
    /** Null if the port has one protocol. */
    private final @Nullable ProtocolChooser chooser;

    private final Resources resources;
    private final ConnectionMeter connections;
    private final RequestMeter meter = new RequestMeter();
    private final @Nullable ReloadingEngines tls;
    private final @Nullable TlsLayer tlsLayer;
    private final List<ConnectionLayer> layers;
    private final Endpoint endpoint;
    /** Null unless it listens before the applications have started. */
    private final @Nullable StartupHold hold;

    private final boolean announced;
    private SocketAddress address = new InetSocketAddress(0);
    private boolean open;
    /** Guarded by this. */
    private boolean stopping;

    private @Nullable MetricGroup metrics;

    /** @param announced whether it logs where it listens */
    Listener(
            Connector connector,
            Transport transport,
            Resources resources,
            ConnectionMeter connections,
            boolean announced) {
        this.announced = announced;
        this.connector = connector;
        this.transport = transport;
        this.resources = resources;
        this.connections = connections;
        List<Protocol> protocols = protocols();
        first = protocols.get(0);
        chooser = protocols.size() == 1
                ? null
                : new ProtocolChooser(protocols, connector.settings().get(ProtocolOptions.CONNECTION_TIMEOUT));
        endpoint = new Endpoint(connector.inherited(), connector.unixSocket(), connector.address(), connector.port());
        TlsOptions options = connector.tls();
        tls = options == null
                ? null
                : new ReloadingEngines(
                        options, protocols.stream().map(Protocol::id).toList());
        tlsLayer = tls == null || options == null
                ? null
                : new TlsLayer(
                        tls,
                        resources.workersOf(connector),
                        resources.timers(),
                        options.get(TlsOptions.HANDSHAKE_TIMEOUT));
        layers = layers();
        if (connector.isHttp()) { // an AJP front end's address is not its clients'
            connections
                    .aborted()
                    .limit(
                            connector.settings().get(ConnectorOptions.MAX_ABORTS_PER_ADDRESS),
                            !connector.settings().isSet(ConnectorOptions.MAX_ABORTS_PER_ADDRESS));
        }
        hold = connector.settings().get(ConnectorOptions.BIND_ON_INIT) ? new StartupHold() : null;
    }

    private List<Protocol> protocols() {
        return connector.protocols().isEmpty()
                ? List.of(new Http1Protocol(connector.settings(), connector.scheme()))
                : connector.protocols();
    }

    /** The layers from the socket upwards: the PROXY protocol precedes TLS. */
    private List<ConnectionLayer> layers() {
        List<ConnectionLayer> layers = new ArrayList<>();
        if (ProxyProtocol.isOn(connector.settings())) {
            layers.add(new ProxyProtocolLayer(connector.settings()));
        }
        if (tlsLayer != null) {
            layers.add(tlsLayer);
        }
        return List.copyOf(layers);
    }

    /** Counts the clients that reach a limit. */
    ReachedLimits limits() {
        return connections.limits();
    }

    /** Counts the requests. */
    RequestMeter meter() {
        return meter;
    }

    CompletionStage<Void> ping() {
        return transport.ping();
    }

    int open() {
        return transport.connections();
    }

    List<OpenConnection> connections() {
        return transport.open();
    }

    /** Reloads the TLS files; returns why some could not be used. */
    List<String> reloadTls() {
        return tls == null ? List.of() : tls.reload();
    }

    /** Whether the server fails to start if this connector cannot listen. */
    boolean isRequired() {
        return connector.settings().get(ConnectorOptions.THROW_ON_FAILURE);
    }

    /**
     * Called before the applications start, which may take minutes. Fails early if the address is in use; or, with
     * bindOnInit, listens already, so that clients wait instead of being refused.
     */
    void prepare() throws IOException {
        if (hold != null) {
            listen(hold);
            transport.pause();
        } else if (isRequired()) { // otherwise bind reports it
            endpoint.probe();
        }
    }

    /** Listens and serves requests. */
    void bind(BiFunction<Connector, RequestMeter, Dispatcher> dispatchers) throws IOException {
        Dispatcher dispatcher = dispatchers.apply(connector, meter);
        Consumer<Connection> serve = connection -> openLayer(connection, 0, dispatcher);
        if (hold == null) {
            listen(serve);
        } else {
            boolean early = open;
            if (!early) {
                listen(hold);
            }
            hold.open(serve, resources.workersOf(connector));
            if (early) {
                transport.resume();
            }
        }
        boolean isPort = address instanceof InetSocketAddress;
        measure();
        if (announced) {
            CoreLog.SERVER.listening(
                    (isPort ? scheme() + "://" : "") + Endpoint.describe(address), connector.summary());
        }
        if (tls != null) {
            tls.announce();
            tls.watch(resources.timers(), resources.workers());
        }
    }

    private void measure() {
        MetricGroup group = new MetricGroup(resources.metrics(), "connector", ConnectorState.name(connector, address));
        metrics = group;
        meter.named(ConnectorState.name(connector, address));
        ConnectorMetrics.addConnections(
                group, transport, connections, meter, connector.settings().get(TransportOptions.MAX_CONNECTIONS));
        if (tlsLayer != null && tls != null) {
            ConnectorMetrics.addTls(group, tlsLayer, tls);
        }
        List<String> ids = protocols().stream()
                .map(protocol -> connector.isHttp() ? protocol.id() : "ajp")
                .toList();
        ConnectorMetrics.addRequests(group, meter, ids);
        if (connector.settings().get(ConnectorOptions.INLINE_SHORT)) {
            ConnectorMetrics.addInline(group, meter.inline());
        }
        if (ids.stream().anyMatch(id -> id.equals("h2") || id.startsWith("spdy"))) {
            ConnectorMetrics.addStreams(group, connections);
        }
    }

    /** The scheme in a front end's configuration, such as {@code ajp}. */
    private String scheme() {
        return connector.isHttp()
                ? connector.scheme()
                : connector.protocols().get(0).id().split("/", 2)[0];
    }

    private void listen(Consumer<Connection> accepted) throws IOException {
        endpoint.probe();
        SocketAddress wanted = endpoint.wanted();
        try {
            address = transport.bind(wanted, accepted);
        } catch (UnsupportedAddressTypeException unsupported) {
            throw new IOException(
                    "Cannot listen on " + Endpoint.describe(wanted) + ": the transport " + connector.transport()
                            + " supports only TCP ports; use nio for other addresses",
                    unsupported);
        } catch (IOException failure) {
            throw endpoint.failure(failure);
        } catch (IllegalArgumentException refused) {
            throw new IOException(
                    "Cannot listen on " + Endpoint.describe(wanted) + ": " + refused.getMessage(), refused);
        }
        open = true;
        endpoint.opened();
    }

    SocketAddress address() {
        return address;
    }

    /** Its MBeans, with the names and attributes of Tomcat's. */
    List<Bean> beans() {
        return new Beans().all();
    }

    Connector connector() {
        return connector;
    }

    /** Stops it, or shortens the grace period of an earlier call. */
    synchronized CompletionStage<Void> stop(Duration grace) {
        CompletionStage<Void> stopped = transport.stop(grace);
        if (stopping) {
            return stopped;
        }
        stopping = true;
        if (hold != null) {
            hold.close();
        }
        MetricGroup measured = metrics;
        if (measured != null) {
            measured.close();
        }
        if (open) {
            open = false;
            endpoint.closed();
        }
        ReloadingEngines engines = tls;
        return engines == null ? stopped : stopped.whenComplete((done, failure) -> engines.close());
    }

    /** Opens the layers from this index upwards, then the protocol on the topmost. */
    private void openLayer(Connection connection, int index, Dispatcher dispatcher) {
        if (index == layers.size()) {
            if (chooser == null) {
                first.start(connection, null, dispatcher);
            } else {
                chooser.open(connection, dispatcher);
            }
        } else {
            layers.get(index).open(connection, above -> openLayer(above, index + 1, dispatcher));
        }
    }

    /** What JMX shows of it, with the names and attributes that Tomcat has. */
    private final class Beans {

        List<Bean> all() {
            String name = ConnectorState.name(connector, address);
            Bean threads = Bean.of("The threads and connections of a connector", "type", "ThreadPool")
                    .quoted("name", name)
                    .attribute(
                            "maxThreads", Integer.class, "the most worker threads; -1 if they are virtual", this::most)
                    .attribute("currentThreadCount", Integer.class, "worker threads, the idle ones too", this::alive)
                    .attribute("currentThreadsBusy", Integer.class, "worker threads that run a request", this::busy)
                    .attribute("connectionCount", Long.class, "open connections", this::connectionCount)
                    .attribute("keepAliveCount", Integer.class, "open connections without a request", this::idle)
                    .attribute(
                            "maxConnections",
                            Integer.class,
                            "the most connections",
                            () -> connector.settings().get(TransportOptions.MAX_CONNECTIONS))
                    .attribute("running", Boolean.class, "whether it accepts connections", () -> open);
            Bean port = where(Bean.of("A connector", "type", "Connector"))
                    .attribute("port", Integer.class, "on which it listens; -1 for a Unix domain socket", this::port)
                    .attribute("protocol", String.class, "HTTP/1.1, or the most preferred of others", this::protocol)
                    .attribute("scheme", String.class, "that requests report", connector::scheme)
                    .attribute("stateName", String.class, "STARTED or STOPPED", () -> open ? "STARTED" : "STOPPED");
            Bean handler = where(Bean.of("The transport of a connector", "type", "ProtocolHandler"))
                    .attribute("name", String.class, "that of its ThreadPool and GlobalRequestProcessor", () -> name)
                    .attribute("connectionCount", Long.class, "open connections", this::connectionCount);
            return List.of(threads, requests(name), port, handler);
        }

        private Bean requests(String name) {
            return Bean.of("The requests of a connector", "type", "GlobalRequestProcessor")
                    .quoted("name", name)
                    .attribute("requestCount", Long.class, "requests that have ended", () -> totals().requests())
                    .attribute("errorCount", Long.class, "those with a status from 400", () -> totals().errors())
                    .attribute("bytesReceived", Long.class, "bytes of request bodies", () -> totals().bytesReceived())
                    .attribute("bytesSent", Long.class, "bytes of response bodies", () -> totals().bytesSent())
                    .attribute(
                            "processingTime",
                            Long.class,
                            "milliseconds that all requests took, from their arrival to the end of the response",
                            () -> millis(totals().nanos()))
                    .attribute(
                            "maxTime",
                            Long.class,
                            "milliseconds that the longest request took",
                            () -> millis(totals().longestNanos()))
                    .change("resetCounters", "counts from zero", List.of(), none -> {
                        meter.reset();
                        return null;
                    });
        }

        private Bean where(Bean bean) {
            String host = connector.address();
            Bean placed = bean.key("port", String.valueOf(port()));
            if (!(address instanceof InetSocketAddress)) {
                return placed.quoted("path", address.toString());
            }
            return host == null ? placed : placed.quoted("address", host);
        }

        private int port() {
            return address instanceof InetSocketAddress inet ? inet.getPort() : -1;
        }

        private String protocol() {
            return connector.isHttp()
                    ? "HTTP/1.1"
                    : connector.protocols().get(0).id().toUpperCase(Locale.ROOT);
        }

        private RequestMeter.Totals totals() {
            return meter.totals();
        }

        private long connectionCount() {
            return Listener.this.open();
        }

        private int idle() {
            return transport.idle();
        }

        private int most() {
            return resources.workersOf(connector) instanceof WorkerPool pool ? pool.maxRunning() : -1;
        }

        private int alive() {
            return resources.workersOf(connector) instanceof WorkerPool pool ? pool.threads() : busy();
        }

        private int busy() {
            return resources.workersOf(connector) instanceof WorkerPool pool ? pool.active() : meter.running();
        }

        private static long millis(long nanos) {
            return TimeUnit.NANOSECONDS.toMillis(nanos);
        }
    }
}
