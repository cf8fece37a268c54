package io.millrace;

import io.millrace.exchange.ErrorResponder;
import io.millrace.exchange.ExchangeOptions;
import io.millrace.exchange.HttpHandler;
import io.millrace.forwarded.Relay;
import io.millrace.handler.AccessLog;
import io.millrace.handler.AddressFilter;
import io.millrace.handler.ErrorPages;
import io.millrace.io.BufferPool;
import io.millrace.io.PortInUseException;
import io.millrace.io.Timers;
import io.millrace.io.TransportProvider;
import io.millrace.jmx.JmxDomain;
import io.millrace.metrics.Metrics;
import io.millrace.server.TransportProviders;
import io.millrace.workers.WorkerPool;
import io.millrace.workers.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Configures a {@link Server} and starts it. Not thread-safe. */
public final class ServerBuilder {

    final List<Connector> connectors = new ArrayList<>();
    final List<VirtualHost> hosts = new ArrayList<>();
    final List<TransportProvider> providers = new ArrayList<>();
    final VirtualHost unnamed = VirtualHost.named("");

    @Nullable
    String defaultHost;

    final List<AccessLog> accessLogs = new ArrayList<>();

    @Nullable
    Relay relay;

    @Nullable
    AddressFilter addressFilter;

    @Nullable
    String healthPath;

    boolean healthOfApplications = true;

    final List<Supplier<? extends Collection<String>>> unavailable = new ArrayList<>();

    @Nullable
    Workers workers;

    @Nullable
    Timers timers;

    ErrorResponder errors = new ErrorPages();
    boolean failFast;
    int maxThreads = 200;
    int minSpareThreads = 10;
    int outputLimit = ExchangeOptions.DEFAULT_OUTPUT_LIMIT;

    @Nullable
    BufferPool buffers;

    /** 0: the size of {@link BufferPool#ofDefaultSize}. */
    long bufferPoolSize;

    Metrics metrics = new Metrics();
    Duration drainDelay = Duration.ZERO;
    boolean announced = true;

    /** Null: there are no MBeans. */
    @Nullable
    JmxDomain jmx;

    /** Null: the JVM's shutdown does not stop the server. */
    @Nullable
    Duration shutdownGrace;

    ServerBuilder() {}

    /**
     * Adds a connector with default settings: the nio transport, all addresses. Port 0 picks a free port. May be called
     * repeatedly.
     */
    public ServerBuilder port(int port) {
        return connector(Connector.builder().port(port).build());
    }

    /** Adds a connector. A server without any listens on port 8080. */
    public ServerBuilder connector(Connector connector) {
        connectors.add(connector);
        return this;
    }

    /**
     * Sets where the server's metrics are collected; several servers of a process may share it. Needed by handlers that show them,
     * which are made before the server. Default: an object of its own.
     */
    public ServerBuilder metrics(Metrics value) {
        metrics = Objects.requireNonNull(value);
        return this;
    }

    /** Sets the handler of requests to the default host that belong to none of its applications. */
    public ServerBuilder handler(HttpHandler handler) {
        unnamed.handler(handler);
        return this;
    }

    /** Adds an application to the default host, at its context path. */
    public ServerBuilder application(Application application) {
        unnamed.application(application);
        return this;
    }

    /** Whether the default host {@linkplain VirtualHost#listApplications lists its applications}. Default: false. */
    public ServerBuilder listApplications(boolean value) {
        unnamed.listApplications(value);
        return this;
    }

    /** Adds a virtual host. Requests to names that no virtual host has go to the default host. */
    public ServerBuilder virtualHost(VirtualHost host) {
        hosts.add(host);
        return this;
    }

    /**
     * Selects the virtual host of this name as the default host, which gets requests to names that no virtual host has.
     * Otherwise the default host is a host without a name, configured by {@link #handler} and {@link #application}.
     */
    public ServerBuilder defaultHost(String name) {
        defaultHost = name;
        return this;
    }

    /**
     * Adds an access log of all requests to all hosts. May be called repeatedly. The server closes the logs when it has
     * stopped.
     */
    public ServerBuilder accessLog(AccessLog log) {
        accessLogs.add(log);
        return this;
    }

    /**
     * Makes requests report the client address, scheme and host that a trusted front end passes on in header fields.
     * Access logs, routing by host and applications see only these. Implementations: {@link
     * io.millrace.forwarded.ForwardedField} and {@link io.millrace.forwarded.RemoteIp}.
     */
    public ServerBuilder forwarded(Relay value) {
        relay = value;
        return this;
    }

    /**
     * Admits only requests from client addresses that the filter allows. Denied requests are logged in the access log.
     * With {@link #forwarded}, the filter checks the client address that the front end reported.
     */
    public ServerBuilder addressFilter(AddressFilter value) {
        addressFilter = value;
        return this;
    }

    /**
     * Reports the server's health at this path, on every host: 200 with {@code UP}, or 503 with {@code DOWN} while one of its
     * applications has failed to start, whose context path the response names, and once {@link Server#stop} has been called.
     */
    public ServerBuilder health(String path) {
        healthPath = path;
        return this;
    }

    /**
     * Sets whether the health depends on the applications. Default: true.
     *
     * @param value false if the server is up even while applications have failed to start
     */
    public ServerBuilder healthOfApplications(boolean value) {
        healthOfApplications = value;
        return this;
    }

    /**
     * Adds parts to the health that the server does not know, such as applications that could not even be created.
     *
     * @param names returns the names of those that should work and do not; called on any thread for each health request; must not
     *     block
     */
    public ServerBuilder unavailable(Supplier<? extends Collection<String>> names) {
        unavailable.add(names);
        return this;
    }

    /** Sets what writes the bodies of error responses. Default: {@link ErrorPages}. */
    public ServerBuilder errors(ErrorResponder responder) {
        errors = responder;
        return this;
    }

    /**
     * Whether {@link #start} fails if an application fails to start. Default: false; requests to that application get a
     * 503 response.
     */
    public ServerBuilder failFast(boolean value) {
        failFast = value;
        return this;
    }

    /**
     * The maximum number of worker threads, which run the requests of all applications. Further requests are queued.
     * Default: 200. Ignored if {@link #workers} is set.
     */
    public ServerBuilder maxThreads(int value) {
        maxThreads = atLeast(1, "maxThreads", value);
        return this;
    }

    /** The number of worker threads that are kept when idle. Default: 10. Ignored if {@link #workers} is set. */
    public ServerBuilder minSpareThreads(int value) {
        minSpareThreads = atLeast(0, "minSpareThreads", value);
        return this;
    }

    /**
     * Runs blocking handlers on these workers instead of a pool of the server's own. The caller closes them after the
     * server has stopped.
     */
    public ServerBuilder workers(Workers value) {
        workers = value;
        return this;
    }

    /**
     * Uses these timers instead of a timer thread of the server's own. The caller closes them after the server has
     * stopped.
     */
    public ServerBuilder timers(Timers value) {
        timers = value;
        return this;
    }

    /**
     * The maximum size of the pool of direct buffers, in bytes. Default: that of {@link BufferPool#ofDefaultSize}.
     *
     * @throws IllegalArgumentException if it is less than four buffers of {@link BufferPool#BUFFER_SIZE} bytes
     */
    public ServerBuilder bufferPoolSize(long bytes) {
        if (bytes < 4L * BufferPool.BUFFER_SIZE) {
            throw new IllegalArgumentException(
                    "bufferPoolSize is " + bytes + " bytes; expected at least " + 4 * BufferPool.BUFFER_SIZE);
        }
        bufferPoolSize = bytes;
        return this;
    }

    /**
     * Uses these direct buffers instead of a pool of the server's own: one that several servers share, or that records leaks in
     * tests. {@link #bufferPoolSize} is then ignored.
     */
    public ServerBuilder buffers(BufferPool value) {
        buffers = value;
        return this;
    }

    /** How many bytes of a response may be buffered for a slow client before the writing thread blocks. Default: 1 MiB. */
    public ServerBuilder outputLimit(int bytes) {
        outputLimit = atLeast(1, "outputLimit", bytes);
        return this;
    }

    /** Whether the log says on which addresses it listens, and that it has started. Default: true. */
    public ServerBuilder announced(boolean value) {
        announced = value;
        return this;
    }

    /**
     * Registers MBeans of the connectors and applications in the JVM's MBean server, with the names and attributes of Tomcat's, so that
     * exporters for Tomcat read them. Default: none are registered.
     *
     * @param name their domain: {@code Tomcat} is where exporters look for an embedded server
     */
    public ServerBuilder jmxDomain(String name) {
        JmxDomain domain = new JmxDomain(name);
        domain.show();
        return jmx(domain);
    }

    /** Offers MBeans as {@link #jmxDomain} does, in a domain that may be shown later. The server closes it when it stops. */
    public ServerBuilder jmx(JmxDomain domain) {
        jmx = domain;
        return this;
    }

    /**
     * How long {@link Server#stop} continues to accept connections after the health has turned to DOWN, so that load
     * balancers notice. Default: zero.
     */
    public ServerBuilder drainDelay(Duration value) {
        drainDelay = value;
        return this;
    }

    /**
     * Stops the server gracefully when the JVM shuts down: at SIGTERM, SIGINT (Ctrl-C) and SIGHUP, at {@link System#exit},
     * and when the last thread that is no daemon ends. The JVM ends when {@link Server#stop} has returned, at the latest 35 s
     * after the drain delay and the grace period. Default: the JVM ends at once, and requests in progress are cut off.
     *
     * <p>A handler that calls {@code System.exit} is itself a running request, which never ends: the shutdown then takes the
     * whole grace period. Uses a {@linkplain Runtime#addShutdownHook shutdown hook}, which is removed when the server stops
     * earlier.
     *
     * @param grace how long running requests may take, as in {@link Server#stop}
     */
    public ServerBuilder stopAtShutdown(Duration grace) {
        shutdownGrace = Objects.requireNonNull(grace);
        return this;
    }

    /** Adds a transport. It takes precedence over those found with {@link java.util.ServiceLoader}. */
    public ServerBuilder transport(TransportProvider provider) {
        providers.add(provider);
        return this;
    }

    /**
     * Starts the applications, then the connectors. On an exception everything that was started is stopped again. An
     * application that fails to start does not make the server fail, unless {@link #failFast} is set; neither does a
     * connector with {@link ConnectorOptions#THROW_ON_FAILURE} set to false, unless no other one is listening.
     *
     * @throws PortInUseException if a port is in use, before the applications start
     * @throws IOException if a connector cannot listen for another reason; the message names the address
     * @throws IllegalArgumentException if two settings contradict each other, or if a transport is not installed
     * @throws IllegalStateException if an application fails to start and {@link #failFast} is set, or if the JVM is shutting
     *     down and {@link #stopAtShutdown} is set
     */
    public Server start() throws IOException {
        return Server.start(this);
    }

    /**
     * Starts the applications; {@link Server.Prepared#listen} binds the ports later, also those of connectors with {@link
     * ConnectorOptions#BIND_ON_INIT}. Whether they are in use is found then. If this method fails, it has stopped everything that it
     * had started.
     *
     * @throws IllegalArgumentException if two settings contradict each other, or if a transport is not installed
     * @throws IllegalStateException if an application fails to start and {@link #failFast} is set
     */
    public Server.Prepared prepare() {
        return Server.prepare(this);
    }

    /**
     * Starts the server and blocks until it has stopped, as the last call of a main method: SIGTERM, SIGINT (Ctrl-C) and SIGHUP
     * stop it gracefully, with a grace period of 30 seconds unless {@link #stopAtShutdown} has set another one. If the thread is
     * interrupted, the server is stopped too, with the same grace period; a second interrupt ends that.
     *
     * @throws IOException as {@link #start}
     */
    public void run() throws IOException {
        Duration grace = shutdownGrace == null ? Duration.ofSeconds(30) : shutdownGrace;
        Server server = stopAtShutdown(grace).start();
        server.awaitStop();
        boolean interrupted = Thread.interrupted(); // which would cut short what running requests may take
        try {
            server.stop(grace);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static int atLeast(int min, String name, int value) {
        if (value < min) {
            throw new IllegalArgumentException(name + " is " + value + "; expected at least " + min);
        }
        return value;
    }

    private BufferPool pool() {
        if (buffers != null) {
            return buffers;
        }
        return bufferPoolSize == 0 ? BufferPool.ofDefaultSize() : new BufferPool(bufferPoolSize);
    }

    /** The threads and buffers of a server; what was not given is created. */
    Resources resources() {
        Timers shared = timers == null ? new Timers("millrace-timers") : timers;
        WorkerPool own = workers == null
                ? new WorkerPool(
                        "millrace-worker", maxThreads, minSpareThreads, WorkerPool.MAX_IDLE, Integer.MAX_VALUE, shared)
                : null;
        return new Resources(
                own == null ? Objects.requireNonNull(workers) : own,
                own,
                shared,
                timers == null,
                pool(),
                new TransportProviders(providers),
                connectors,
                metrics);
    }
}
