package io.millrace.proxy;

import io.millrace.Application;
import io.millrace.ServerContext;
import io.millrace.client.ClientScheme;
import io.millrace.client.Destination;
import io.millrace.client.PoolLimits;
import io.millrace.client.SessionPool;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Responses;
import io.millrace.http.Method;
import io.millrace.http.Status;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.material.TlsClients;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A reverse proxy: forwards all requests below a path to backends, with their path unchanged. It connects only to the
 * configured backends. Immutable; the methods return changed copies.
 *
 * <p>{@code Server.builder().application(ProxyApplication.to("http://127.0.0.1:8080"))}
 */
public final class ProxyApplication implements Application {

    private final String contextPath;
    private final List<BackendAddress> addresses;
    private final Settings settings;
    private final TlsClientOptions tls;
    private volatile Running running = new Running(List.of(), List.of(), List.of());

    /** The objects that exist from start to stop. */
    private record Running(List<Backend> backends, List<HealthCheck> checks, Collection<TlsClientEngines> engines) {}

    private ProxyApplication(
            String contextPath, List<BackendAddress> addresses, Settings settings, TlsClientOptions tls) {
        this.contextPath = contextPath;
        this.addresses = addresses;
        this.settings = settings;
        this.tls = tls;
    }

    /**
     * A proxy to these backends: {@code http://host:port}, {@code https://host:port} or {@code unix:/path}, which use
     * HTTP/1.1, or the schemes of other installed protocols, each optionally with {@code ?weight=2&route=node1}.
     *
     * @throws IllegalArgumentException if there is none, or an address is invalid; the message says what was expected
     */
    public static ProxyApplication to(String... backends) {
        if (backends.length == 0) {
            throw new IllegalArgumentException(
                    "the list of backends is empty; expected at least one, such as http://127.0.0.1:8080");
        }
        return new ProxyApplication(
                "",
                Stream.of(backends).map(BackendAddress::parse).toList(),
                Settings.DEFAULTS,
                TlsClientOptions.DEFAULT);
    }

    /** The same proxy below this path: with a leading and without a trailing slash; {@code ""} for all paths. */
    public ProxyApplication at(String path) {
        return new ProxyApplication(path, addresses, settings, tls);
    }

    /**
     * The same proxy with another value of a setting: one of {@link ProxyOptions}, or one of the limits in {@link
     * io.millrace.protocol.HttpOptions} and {@link io.millrace.protocol.ProtocolOptions}.
     */
    public <T> ProxyApplication with(Setting<T> setting, T value) {
        return with(settings.with(setting, value));
    }

    /** The same proxy with these settings. */
    public ProxyApplication with(Settings other) {
        return new ProxyApplication(contextPath, addresses, other, tls);
    }

    /** The same proxy with other TLS settings for connections to backends. Default: the JDK's trusted certificates. */
    public ProxyApplication tls(TlsClientOptions options) {
        return new ProxyApplication(contextPath, addresses, settings, options);
    }

    /** The settings of this proxy. */
    public Settings settings() {
        return settings;
    }

    /** The TLS settings for connections to backends. */
    public TlsClientOptions tls() {
        return tls;
    }

    @Override
    public String contextPath() {
        return contextPath;
    }

    /** The configured backends. */
    public List<BackendAddress> backends() {
        return addresses;
    }

    /**
     * Checks that the settings of each backend fit its protocol.
     *
     * @throws IllegalArgumentException if they do not; the message says what was found, what was expected and what to do
     */
    public ProxyApplication check() {
        for (BackendAddress address : addresses) {
            address.protocol(settings);
            String spoken = address.scheme().protocol();
            if (sendsProxyHeader() && !spoken.equals("HTTP/1.1")) {
                throw new IllegalArgumentException(
                        "the backend " + address.text() + " speaks " + spoken
                                + ", and proxyProtocol is v2; expected HTTP/1.1, since only there a connection is for one client");
            }
        }
        return this;
    }

    /** The current state of the backends; empty while the proxy is not running. Safe to call from any thread. */
    public List<BackendStatus> status() {
        return running.backends().stream().map(Backend::status).toList();
    }

    /**
     * Drains a backend of the running proxy, before it is stopped for example: it gets only requests of its own
     * sessions, and running requests complete. {@code ?draining=true} in its address does the same from the start. Safe
     * to call from any thread.
     *
     * @param backend as configured, without parameters
     * @throws IllegalArgumentException if there is no backend with this address
     */
    public void drain(String backend) {
        find(backend).forEach(Backend::drain);
    }

    /**
     * Reverts {@link #drain}: the share of the backend grows back to its weight.
     *
     * @throws IllegalArgumentException if there is no backend with this address
     */
    public void resume(String backend) {
        find(backend).forEach(Backend::resume);
    }

    private List<Backend> find(String text) {
        List<Backend> found = running.backends().stream()
                .filter(each -> each.address().text().equals(text))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no backend " + text + "; the running ones are " + running.backends());
        }
        return found;
    }

    private boolean sendsProxyHeader() {
        return settings.get(ProxyOptions.PROXY_PROTOCOL).equals("v2");
    }

    @Override
    public String displayName() {
        return "proxy to "
                + String.join(" ", addresses.stream().map(BackendAddress::text).toList());
    }

    @Override
    public HttpHandler start(ServerContext server) throws IOException {
        PoolLimits limits = new PoolLimits(
                settings.get(ProxyOptions.MAX_CONNECTIONS),
                settings.get(ProxyOptions.MAX_WAITING),
                settings.get(ProxyOptions.CLIENT_SHARE),
                settings.get(ProxyOptions.WAIT_TIMEOUT),
                settings.get(ProxyOptions.CONNECT_TIMEOUT),
                settings.get(ProxyOptions.TLS_TIMEOUT),
                settings.get(ProxyOptions.MAX_CONNECTION_AGE));
        check();
        String path = settings.get(ProxyOptions.HEALTH_PATH);
        Duration interval = settings.get(ProxyOptions.HEALTH_INTERVAL);
        List<HealthCheck> checks = new ArrayList<>();
        Map<ClientScheme, TlsClientEngines> engines = new HashMap<>();
        List<Backend> backends = new ArrayList<>();
        for (BackendAddress address : addresses) {
            TlsClientEngines tlsEngines = engines(address.scheme(), engines);
            Backend backend =
                    new Backend(address, pool(address, tlsEngines, limits, server), settings, System::nanoTime);
            backends.add(backend);
            backend.metrics().addTo(server.metrics(), backend);
            if (!path.isEmpty()) {
                SessionPool own = pool(address, tlsEngines, limits.forOne(), server);
                checks.add(new HealthCheck(backend, own, path, interval, server.timers()));
            }
        }
        running = new Running(List.copyOf(backends), List.copyOf(checks), List.copyOf(engines.values()));
        checks.forEach(HealthCheck::start);
        Balancer balancer = new Balancer(
                backends,
                settings.get(ProxyOptions.STICKY),
                bound -> ThreadLocalRandom.current().nextInt(bound));
        return new ProxyHandler(new Forwarding(settings, balancer));
    }

    private SessionPool pool(
            BackendAddress address, @Nullable TlsClientEngines engines, PoolLimits limits, ServerContext server)
            throws IOException {
        return new SessionPool(
                new Destination(address.address(), engines, sendsProxyHeader()),
                address.protocol(settings),
                limits,
                server.dialer(),
                server.workers(),
                server.timers());
    }

    /** Shared by the backends of a scheme; null for plain connections. */
    private @Nullable TlsClientEngines engines(ClientScheme scheme, Map<ClientScheme, TlsClientEngines> made)
            throws IOException {
        TlsClientEngines engines = made.get(scheme);
        if (engines == null && scheme.secure()) {
            List<String> offered = scheme.applicationProtocols();
            engines = TlsClients.open(offered.isEmpty() ? tls : tls.withApplicationProtocols(offered));
            made.put(scheme, engines);
        }
        return engines;
    }

    @Override
    public void stop() {
        Running last = running;
        running = new Running(List.of(), List.of(), List.of());
        last.checks().forEach(HealthCheck::stop);
        last.backends().forEach(backend -> backend.pool().close());
        last.engines().forEach(TlsClientEngines::close);
    }

    /** Forwards requests, with a {@link ProxiedRequest} for each, on the connections' threads. */
    private record ProxyHandler(Forwarding forwarding) implements NonBlockingHandler {

        /** The methods of requests that are forwarded, for clients that ask for the proxy itself; backends know others. */
        private static final String ALLOWED = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

        @Override
        public void handle(HttpExchange exchange) {
            String method = exchange.request().method();
            if (method.equals(Method.CONNECT)
                    || method.equals(Method.TRACE)) { // an open proxy; TRACE reveals credentials
                Responses.error(exchange, Status.METHOD_NOT_ALLOWED);
            } else if (MaxForwards.isLast(exchange.request())) {
                exchange.response().headers().set("Allow", ALLOWED);
                exchange.response().contentLength(0);
            } else if (RequestRewrite.hasDotSegments(exchange.request().path().raw())) {
                Responses.error(exchange, Status.BAD_REQUEST);
            } else {
                new ProxiedRequest(forwarding, exchange).begin();
            }
        }
    }
}
