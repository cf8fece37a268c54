package io.millrace;

import io.millrace.exchange.ErrorResponder;
import io.millrace.exchange.ExchangeOptions;
import io.millrace.exchange.HttpHandler;
import io.millrace.forwarded.Relay;
import io.millrace.handler.AccessLog;
import io.millrace.handler.AddressFilter;
import io.millrace.handler.ErrorPages;
import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.io.TransportProvider;
import io.millrace.workers.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes a {@link Server} and starts it. What is not set has a default that suits most. */
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

    @Nullable
    Workers workers;

    @Nullable
    Timers timers;

    ErrorResponder errors = new ErrorPages();
    boolean failFast;
    int maxThreads = 200;
    int minSpareThreads = 10;
    int outputLimit = ExchangeOptions.DEFAULT_OUTPUT_LIMIT;

    /** 0: {@link BufferPool#ofDefaultSize}. */
    long bufferPoolSize;

    Duration drainDelay = Duration.ZERO;

    ServerBuilder() {}

    /** Listens on this port of all addresses, with NIO and the defaults; 0 picks a free port. May be called again. */
    public ServerBuilder port(int port) {
        return connector(Connector.builder().port(port).build());
    }

    /** Listens on one more port. Without any connector the server listens on port 8080. */
    public ServerBuilder connector(Connector connector) {
        connectors.add(connector);
        return this;
    }

    /** Answers what no application of the default host does: every request, if there is no application. */
    public ServerBuilder handler(HttpHandler handler) {
        unnamed.handler(handler);
        return this;
    }

    /** Hosts an application on the default host, below its context path. */
    public ServerBuilder application(Application application) {
        unnamed.application(application);
        return this;
    }

    /** Whether the default host {@linkplain VirtualHost#listApplications lists its applications}; false otherwise. */
    public ServerBuilder listApplications(boolean value) {
        unnamed.listApplications(value);
        return this;
    }

    /** Adds a site with names of its own. Requests to other names go to the default host. */
    public ServerBuilder virtualHost(VirtualHost host) {
        hosts.add(host);
        return this;
    }

    /**
     * Makes the virtual host of this name the default one: it answers requests to names that no host has. Otherwise
     * {@link #handler} and {@link #application} do.
     */
    public ServerBuilder defaultHost(String name) {
        defaultHost = name;
        return this;
    }

    /** Logs every request, whatever its host; there may be several logs. The server closes them when it has stopped. */
    public ServerBuilder accessLog(AccessLog log) {
        accessLogs.add(log);
        return this;
    }

    /**
     * Takes requests as they were before a front end relayed them, as its header fields say: client address, scheme, host.
     * Access logs, routing by host and applications see nothing else. {@link io.millrace.forwarded.ForwardedField} and
     * {@link io.millrace.forwarded.RemoteIp} are there to be given.
     */
    public ServerBuilder forwarded(Relay value) {
        relay = value;
        return this;
    }

    /**
     * Lets only those clients in that the filter admits, whatever they ask for; those it denies are in the access log. Behind a
     * {@linkplain #forwarded front end} it is the client's address that counts.
     */
    public ServerBuilder addressFilter(AddressFilter value) {
        addressFilter = value;
        return this;
    }

    /** Answers this path, on every host, with the server's health: 200 UP, or 503 DOWN while it stops. */
    public ServerBuilder health(String path) {
        healthPath = path;
        return this;
    }

    /** Writes the bodies of error responses; {@link ErrorPages} otherwise. */
    public ServerBuilder errors(ErrorResponder responder) {
        errors = responder;
        return this;
    }

    /** Whether an application that does not start stops the server from starting; false otherwise. */
    public ServerBuilder failFast(boolean value) {
        failFast = value;
        return this;
    }

    /** Requests that may block at once, in all applications; 200 otherwise. More wait. */
    public ServerBuilder maxThreads(int value) {
        maxThreads = atLeast(1, "maxThreads", value);
        return this;
    }

    /** Worker threads that stay although there is nothing to do; 10 otherwise. */
    public ServerBuilder minSpareThreads(int value) {
        minSpareThreads = atLeast(0, "minSpareThreads", value);
        return this;
    }

    /** Runs what may block, instead of a pool of the server's own. The caller ends it, after the server. */
    public ServerBuilder workers(Workers value) {
        workers = value;
        return this;
    }

    /** Runs timers, instead of a thread of the server's own. The caller closes them, after the server. */
    public ServerBuilder timers(Timers value) {
        timers = value;
        return this;
    }

    /** Bytes of direct memory for reading and writing, at most; a quarter of the largest heap otherwise. */
    public ServerBuilder bufferPoolSize(long bytes) {
        if (bytes < 4L * BufferPool.BUFFER_SIZE) {
            throw new IllegalArgumentException(
                    "bufferPoolSize is " + bytes + " bytes; expected at least " + 4 * BufferPool.BUFFER_SIZE);
        }
        bufferPoolSize = bytes;
        return this;
    }

    /** Bytes a response may hold in memory for a slow client before its worker waits; 1 MiB otherwise. */
    public ServerBuilder outputLimit(int bytes) {
        outputLimit = atLeast(1, "outputLimit", bytes);
        return this;
    }

    /** How long {@link Server#stop} goes on accepting after the health turned DOWN, so that balancers notice; 0 otherwise. */
    public ServerBuilder drainDelay(Duration value) {
        drainDelay = value;
        return this;
    }

    /** Finds this transport besides those that {@link java.util.ServiceLoader} finds, and before them. */
    public ServerBuilder transport(TransportProvider provider) {
        providers.add(provider);
        return this;
    }

    /**
     * Starts the applications, then listens on all ports. Either all of it or nothing is running afterwards; but an
     * application that does not start is left out, unless {@link #failFast}.
     *
     * @throws IOException if an address can't be listened on; the message names it
     * @throws IllegalArgumentException if two settings contradict each other or a transport is missing
     * @throws IllegalStateException if an application did not start, with {@link #failFast}
     */
    public Server start() throws IOException {
        return Server.start(this);
    }

    private static int atLeast(int least, String name, int value) {
        if (value < least) {
            throw new IllegalArgumentException(name + " is " + value + "; expected at least " + least);
        }
        return value;
    }
}
