package io.millrace;

import io.millrace.exchange.ErrorResponder;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.forwarded.FixedFrontEnd;
import io.millrace.forwarded.Relay;
import io.millrace.handler.AccessLog;
import io.millrace.handler.ErrorPages;
import io.millrace.handler.HealthHandler;
import io.millrace.handler.HostRouter;
import io.millrace.handler.PathRouter;
import io.millrace.handler.Responses;
import io.millrace.protocol.Dispatcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The sites of a server: starts what they host, and makes one handler of all of it. */
final class Hosting {

    private static final NonBlockingHandler NOT_FOUND = exchange -> Responses.error(exchange, 404);
    private static final NonBlockingHandler UNAVAILABLE = exchange -> Responses.error(exchange, 503);

    private final List<VirtualHost> hosts = new ArrayList<>();
    private final VirtualHost defaultHost;
    private final Resources resources;
    private final @Nullable AccessLog accessLog;
    private final @Nullable Relay relay;
    private final @Nullable String healthPath;
    private final BooleanSupplier up;
    private final ErrorResponder errors;
    private final boolean failFast;
    private final Map<Application, Throwable> failures = new LinkedHashMap<>();
    private final Deque<Application> started = new ArrayDeque<>();
    private HttpHandler root = NOT_FOUND;

    Hosting(ServerBuilder settings, Resources resources, BooleanSupplier up) {
        this.resources = resources;
        this.up = up;
        accessLog = settings.accessLog;
        errors = settings.errors;
        relay = settings.relay;
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
                    + "\", so that nothing reaches the server's own handler and applications: add them to that host.");
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
        HostRouter.Builder router = HostRouter.builder();
        HttpHandler fallback = NOT_FOUND;
        for (VirtualHost host : hosts) {
            HttpHandler site = start(host);
            if (host.equals(defaultHost)) {
                fallback = site;
            }
            if (!host.name().isEmpty()) {
                router.host(site, host.name(), host.aliases().toArray(String[]::new));
            }
        }
        root = hosts.size() == 1 ? fallback : router.otherwise(fallback).build();
        if (healthPath != null) {
            root = PathRouter.builder()
                    .exact(healthPath, HealthHandler.of(up))
                    .otherwise(root)
                    .build();
        }
        root = errors instanceof ErrorPages ? root : withOwnErrors(root, errors);
        root = accessLog == null ? root : accessLog.wrap(root);
        root = relay == null ? root : relay.wrap(root);
    }

    private static NonBlockingHandler withOwnErrors(HttpHandler next, ErrorResponder errors) {
        return exchange -> {
            exchange.attributes().put(Responses.ERRORS, errors);
            exchange.dispatch(next);
        };
    }

    private HttpHandler start(VirtualHost host) {
        HttpHandler fallback = host.handler() == null ? NOT_FOUND : host.handler();
        HttpHandler site = host.applications().isEmpty() ? fallback : start(host.applications(), fallback);
        List<Relay> relays = host.relays();
        for (int i = relays.size() - 1; i >= 0; i--) {
            site = relays.get(i).wrap(site);
        }
        AccessLog log = host.accessLog();
        return log == null ? site : log.wrap(site);
    }

    private HttpHandler start(List<Application> applications, HttpHandler fallback) {
        PathRouter.Builder router = PathRouter.builder().otherwise(fallback);
        for (Application application : applications) {
            router.prefix(application.contextPath(), start(application));
        }
        return router.build();
    }

    private HttpHandler start(Application application) {
        try {
            HttpHandler handler = application.start(resources);
            started.push(application);
            return handler;
        } catch (Exception | LinkageError failure) {
            return failed(application, failure);
        }
    }

    private HttpHandler failed(Application application, Throwable failure) {
        String path = application.contextPath();
        if (failFast) {
            throw new IllegalStateException("The application at \"" + path + "\" did not start", failure);
        }
        Messages.LOG.applicationFailed(path, failure);
        failures.put(application, failure);
        return UNAVAILABLE;
    }

    /** What answers every request that comes by this connector. */
    HttpHandler root(Connector connector) {
        boolean frontEnd = (connector.secure() && connector.tls() == null)
                || connector.proxyName() != null
                || connector.proxyPort() != 0;
        HttpHandler relayed = frontEnd || connector.proxyProtocol() != null
                ? new FixedFrontEnd(connector.secure(), connector.proxyName(), connector.proxyPort()).wrap(root)
                : root;
        return SniCheck.wrap(relayed, connector.tls());
    }

    Map<Application, Throwable> failures() {
        return Collections.unmodifiableMap(failures);
    }

    /** Requests that never become exchanges belong into the access log as well. */
    Dispatcher logged(Dispatcher exchanges) {
        return accessLog == null ? exchanges : accessLog.wrap(exchanges);
    }

    /** Stops the applications, the last one first, then ends the access logs. */
    void stop() {
        while (!started.isEmpty()) {
            stop(started.pop());
        }
        if (accessLog != null) {
            accessLog.close();
        }
        hosts.stream().map(VirtualHost::accessLog).filter(Objects::nonNull).forEach(AccessLog::close);
    }

    private static void stop(Application application) {
        try {
            application.stop();
        } catch (Exception | LinkageError failure) {
            Messages.LOG.applicationFailedToStop(application.contextPath(), failure);
        }
    }
}
