package io.millrace;

import io.millrace.compression.Compression;
import io.millrace.compression.RequestDecompression;
import io.millrace.exchange.ErrorResponder;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.forwarded.FixedFrontEnd;
import io.millrace.forwarded.Relay;
import io.millrace.handler.AccessLog;
import io.millrace.handler.AddressFilter;
import io.millrace.handler.ErrorPages;
import io.millrace.handler.HealthHandler;
import io.millrace.handler.HostRouter;
import io.millrace.handler.PathRouter;
import io.millrace.handler.Responses;
import io.millrace.jfr.Recorder;
import io.millrace.jmx.JmxDomain;
import io.millrace.log.CoreLog;
import io.millrace.metrics.Durations;
import io.millrace.metrics.MetricGroup;
import io.millrace.protocol.Dispatcher;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.server.ApplicationGate;
import io.millrace.server.ApplicationMetrics;
import io.millrace.server.PendingReplacement;
import io.millrace.server.ServerMetrics;
import io.millrace.server.SniCheck;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The virtual hosts of a server: starts their applications and combines them into one handler. */
final class Hosting {

    private static final NonBlockingHandler NOT_FOUND = exchange -> Responses.error(exchange, 404);
    private static final NonBlockingHandler UNAVAILABLE = exchange -> Responses.error(exchange, 503);

    private final List<VirtualHost> hosts = new ArrayList<>();
    private final VirtualHost defaultHost;
    private final Resources resources;
    private final @Nullable JmxDomain jmx;
    private final List<AccessLog> accessLogs;
    private final @Nullable Relay relay;
    private final @Nullable AddressFilter addressFilter;
    private final @Nullable String healthPath;
    private final HealthHandler health;
    private final List<Supplier<? extends Collection<String>>> unavailable;
    private final ErrorResponder errors;
    private final boolean failFast;
    private final Map<Application, Throwable> failures = Collections.synchronizedMap(new LinkedHashMap<>());
    private final Map<Application, MetricGroup> metrics = new ConcurrentHashMap<>();
    private final Deque<Application> started = new ArrayDeque<>();
    private final Map<VirtualHost, HostContent> contents = new LinkedHashMap<>();
    /** Serializes deployments: held while applications start and stop, not while requests run. */
    private final ReentrantLock changes = new ReentrantLock();

    /** That of the replacement in progress; null if there is none. */
    private volatile @Nullable PendingReplacement replacing;

    private volatile boolean stopping;
    private boolean stopped;
    private HttpHandler root = NOT_FOUND;

    Hosting(ServerBuilder settings, Resources resources, BooleanSupplier up) {
        this.resources = resources;
        jmx = settings.jmx;
        unavailable = List.copyOf(settings.unavailable);
        HealthHandler ofServer = HealthHandler.of(up);
        health = settings.healthOfApplications ? ofServer.withUnavailable(this::allUnavailable) : ofServer;
        accessLogs = List.copyOf(settings.accessLogs);
        errors = settings.errors;
        relay = settings.relay;
        addressFilter = settings.addressFilter;
        healthPath = settings.healthPath;
        failFast = settings.failFast;
        hosts.addAll(settings.hosts);
        defaultHost = chooseDefault(settings);
        if (!hosts.contains(defaultHost)) {
            hosts.add(defaultHost);
        }
    }

    private static VirtualHost chooseDefault(ServerBuilder settings) {
        String name = settings.defaultHost;
        VirtualHost unnamed = settings.unnamed;
        if (name == null) {
            return unnamed;
        }
        if (unnamed.handler() != null || !unnamed.applications().isEmpty()) {
            throw new IllegalArgumentException("The default host is \"" + name
                    + "\", so that the server's own handler and applications would get no requests: add them to that"
                    + " host.");
        }
        return settings.hosts.stream()
                .filter(host -> host.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("The default host is \"" + name
                        + "\", but there are only "
                        + settings.hosts.stream().map(VirtualHost::name).toList()));
    }

    /** Starts all applications, one after the other. */
    void start() {
        List<AccessLog> logs = new ArrayList<>(accessLogs);
        hosts.forEach(host -> logs.addAll(host.accessLogs()));
        ServerMetrics.addLogs(resources.shared(), logs);
        HostRouter.Builder router = HostRouter.builder();
        HttpHandler fallback = NOT_FOUND;
        for (VirtualHost host : hosts) {
            HttpHandler handler = start(host);
            if (host.equals(defaultHost)) {
                fallback = handler;
            }
            if (!host.name().isEmpty()) {
                router.host(handler, host.name(), host.aliases().toArray(String[]::new));
            }
        }
        root = hosts.size() == 1 ? fallback : router.otherwise(fallback).build();
        HttpHandler byHost = root;
        hosts.forEach(host -> host.router(byHost));
        root = addressFilter == null ? root : addressFilter.wrap(root);
        root = errors instanceof ErrorPages ? root : withOwnErrors(root, errors);
        root = logged(accessLogs, root);
        root = relay == null ? root : relay.wrap(root);
    }

    /** The health handler runs after the host's filters, so that it cannot be used to bypass them. */
    private HttpHandler withHealth(HttpHandler content) {
        return healthPath == null
                ? content
                : PathRouter.builder()
                        .exact(healthPath, health)
                        .otherwise(content)
                        .build();
    }

    /** The context paths of the applications that should run and do not, with their versions and, of several hosts, their hosts. */
    private Set<String> allUnavailable() {
        Set<String> names = new TreeSet<>();
        failures().keySet().forEach(application -> names.add(nameOf(application)));
        unavailable.forEach(more -> names.addAll(more.get()));
        return names;
    }

    private String nameOf(Application application) {
        String version = application.version().isEmpty() ? "" : "##" + application.version();
        String path = (application.contextPath().isEmpty() ? "/" : application.contextPath()) + version;
        return hosts.size() == 1
                ? path
                : contents.values().stream()
                        .filter(content -> content.hosts(application))
                        .map(content -> content.name() + path)
                        .findFirst()
                        .orElse(path);
    }

    private static NonBlockingHandler withOwnErrors(HttpHandler next, ErrorResponder errors) {
        return exchange -> {
            exchange.attributes().put(Responses.ERRORS, errors);
            exchange.dispatch(next);
        };
    }

    private HttpHandler start(VirtualHost host) {
        HostContent own = new HostContent(host.name(), fallback(host));
        contents.put(host, own);
        for (Application application : host.applications()) {
            requireFree(own, application);
            own.put(application, startOrFail(own, application));
        }
        return logged(host.accessLogs(), host.wrap(withHealth(own)));
    }

    private static HttpHandler logged(List<AccessLog> logs, HttpHandler next) {
        HttpHandler logged = next;
        for (AccessLog log : logs) {
            logged = log.wrap(logged);
        }
        return logged;
    }

    private static HttpHandler fallback(VirtualHost host) {
        HttpHandler own = host.handler();
        if (own != null) {
            return own;
        }
        return host.listsApplications() ? new ApplicationIndex() : NOT_FOUND;
    }

    private static void requireFree(HostContent content, Application application) {
        if (content.isTaken(application)) {
            throw new IllegalArgumentException(
                    "Two applications at \"" + application.contextPath() + "\" of the same host");
        }
    }

    private HttpHandler startOrFail(HostContent content, Application application) {
        try {
            return start(content, application);
        } catch (Exception | LinkageError failure) {
            HttpHandler unavailable = failed(application, failure);
            var unused = measured(content, application);
            return unavailable;
        }
    }

    private ApplicationGate start(HostContent content, Application application) throws Exception {
        MetricGroup group = measured(content, application);
        Recorder.Span recorded = Recorder.deployment();
        boolean complete = false;
        try {
            ApplicationGate gate = new ApplicationGate(
                    application.start(new HostContext(resources, jmx, content, group)), application.contextPath());
            started.push(application);
            ApplicationMetrics.addRequests(group, gate);
            complete = true;
            return gate;
        } finally {
            if (!complete) {
                endMetrics(application);
            }
            if (recorded != null) {
                recorded.end(nameOf(application), "start", complete ? "started" : "failed");
            }
        }
    }

    private MetricGroup measured(HostContent content, Application application) {
        String path = application.contextPath().isEmpty() ? "/" : application.contextPath();
        String host = content.equals(contents.get(defaultHost)) ? "" : content.name();
        MetricGroup group = new MetricGroup(resources.metrics(), "application", host + path);
        MetricGroup before = metrics.put(application, group);
        if (before != null) {
            before.close();
        }
        ApplicationMetrics.addUp(group, application.version(), () -> !failures.containsKey(application));
        return group;
    }

    private void endMetrics(Application application) {
        MetricGroup group = metrics.remove(application);
        if (group != null) {
            group.close();
        }
    }

    private HttpHandler failed(Application application, Throwable failure) {
        String path = application.contextPath();
        if (failFast) {
            throw new IllegalStateException("The application at \"" + path + "\" failed to start", failure);
        }
        CoreLog.SERVER.applicationFailed(path, failure);
        failures.put(application, failure);
        return UNAVAILABLE;
    }

    /** Starts an application on a running server; a null host is the default host. */
    void deploy(@Nullable String host, Application application) throws Exception {
        changes.lock();
        try {
            requireRunning();
            HostContent content = content(host);
            requireFree(content, application);
            content.put(application, start(content, application));
        } finally {
            changes.unlock();
        }
    }

    /** Stops an application on a running server. */
    void undeploy(Application application, Duration grace) {
        changes.lock();
        try {
            HostContent content = contentOf(application);
            ApplicationGate gate = content.gate(application);
            content.remove(application);
            end(application, gate, grace, UNAVAILABLE);
        } finally {
            changes.unlock();
        }
    }

    /** Stops one application and starts another in its place; meanwhile its requests wait. */
    void replace(Application running, Application next, Duration grace) throws Exception {
        changes.lock();
        try {
            requireRunning();
            HostContent content = contentOf(running);
            if (!running.contextPath().equals(next.contextPath())
                    || !running.version().equals(next.version())) {
                throw new IllegalArgumentException("\"" + next.contextPath() + "\" cannot replace an application at \""
                        + running.contextPath() + "\": context paths and versions must be the same");
            }
            ApplicationGate gate = content.gate(running);
            PendingReplacement pending = new PendingReplacement();
            replacing = pending;
            if (stopping) {
                pending.giveUp(); // after the assignment: stopping() sees the one or this the other
            }
            HttpHandler serving = UNAVAILABLE;
            try {
                content.put(next, pending);
                end(running, gate, grace, pending);
                serving = start(content, next);
            } catch (Exception | Error failure) {
                failures.put(next, failure);
                var unused = measured(content, next);
                throw failure;
            } finally {
                try {
                    content.put(next, serving);
                } finally {
                    replacing = null;
                    pending.complete(serving);
                }
            }
        } finally {
            changes.unlock();
        }
    }

    /** @param late handles requests that were on their way to it */
    private void end(Application application, @Nullable ApplicationGate gate, Duration grace, HttpHandler late) {
        failures.remove(application);
        if (gate == null) {
            endMetrics(application);
        } else {
            Recorder.Span recorded = Recorder.deployment();
            if (!gate.close(grace, late)) {
                CoreLog.SERVER.applicationBusy(application.contextPath(), TimeUnit.MILLISECONDS.convert(grace));
            }
            started.remove(application);
            endMetrics(application);
            stop(application);
            if (recorded != null) {
                recorded.end(application.contextPath(), "stop", "stopped");
            }
        }
    }

    private void requireRunning() {
        if (stopped) {
            throw new IllegalStateException("The server has been stopped");
        }
    }

    private HostContent content(@Nullable String name) {
        if (name == null) {
            return Objects.requireNonNull(contents.get(defaultHost));
        }
        for (Map.Entry<VirtualHost, HostContent> entry : contents.entrySet()) {
            if (entry.getKey().name().equalsIgnoreCase(name)) {
                return entry.getValue();
            }
        }
        throw new IllegalArgumentException("There is no host \"" + name + "\", only "
                + contents.keySet().stream().map(VirtualHost::name).toList());
    }

    private HostContent contentOf(Application application) {
        return contents.values().stream()
                .filter(content -> content.hosts(application))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "No application of this server is at \"" + application.contextPath() + "\""));
    }

    /** The handler of all requests of this connector. */
    HttpHandler root(Connector connector) {
        String name = connector.settings().get(ConnectorOptions.PROXY_NAME);
        int port = connector.settings().get(ConnectorOptions.PROXY_PORT);
        boolean frontEnd = (connector.secure() && connector.tls() == null) || !name.isEmpty() || port != 0;
        HttpHandler relayed = frontEnd || ProxyProtocol.isOn(connector.settings())
                ? new FixedFrontEnd(connector.secure(), name.isEmpty() ? null : name, port).wrap(root)
                : root;
        HttpHandler admitted = SniCheck.wrap(relayed, connector.tls());
        Long maxSize = connector.settings().find(RequestDecompression.MAX_SIZE);
        HttpHandler read =
                maxSize == null ? admitted : RequestDecompression.upTo(maxSize).wrap(admitted);
        return Compression.of(connector.settings()).wrap(read);
    }

    Map<Application, Throwable> failures() {
        synchronized (failures) {
            return Collections.unmodifiableMap(new LinkedHashMap<>(failures));
        }
    }

    /**
     * Adds the access logs for requests that fail before they become exchanges: the server's, and, because the virtual
     * host of such a request is unknown, the default host's.
     */
    Dispatcher logged(Dispatcher exchanges) {
        Dispatcher logged = exchanges;
        for (AccessLog log : defaultHost.accessLogs()) {
            logged = log.wrap(logged);
        }
        for (AccessLog log : accessLogs) {
            logged = log.wrap(logged);
        }
        return logged;
    }

    /** Of the requests of a running application; null if it does not run. */
    @Nullable
    Durations durations(Application application) {
        for (HostContent content : contents.values()) {
            ApplicationGate gate = content.hosts(application) ? content.gate(application) : null;
            if (gate != null) {
                return gate.durations();
            }
        }
        return null;
    }

    /**
     * Called when connections are being drained. A request that waits for the next version of an application is answered after half of
     * the grace period at the latest, since its connection is closed at the end of it.
     */
    void stopping(Duration grace) {
        stopping = true;
        PendingReplacement pending = replacing;
        if (pending != null) {
            resources.timers().schedule(pending::giveUp, grace.dividedBy(2));
        }
    }

    /** Stops the applications in reverse order, then closes the access logs. */
    void stop() {
        changes.lock();
        try {
            stopped = true;
            while (!started.isEmpty()) {
                stop(started.pop());
            }
        } finally {
            metrics.values().forEach(MetricGroup::close);
            metrics.clear();
            changes.unlock();
        }
        accessLogs.forEach(AccessLog::close);
        hosts.forEach(host -> host.accessLogs().forEach(AccessLog::close));
    }

    private static void stop(Application application) {
        try {
            application.stop();
        } catch (Exception | LinkageError failure) {
            CoreLog.SERVER.applicationFailedToStop(application.contextPath(), failure);
        }
    }
}
