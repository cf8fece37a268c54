package io.millrace.tls;

import io.millrace.io.Timers;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the JDK's engines for a connector. Each host has a context of its own, made anew when its files change: connections
 * under way keep theirs, and a file that can't be used changes nothing. Any thread.
 */
public final class JsseEngines implements TlsEngines, AutoCloseable {

    private final TlsOptions options;
    private final Map<String, ReloadingHost> hosts = new LinkedHashMap<>();
    private final ReloadingHost defaultHost;
    private @Nullable FileWatch watch;

    /**
     * Reads all files; blocks meanwhile. Warns of what is weak or expires.
     *
     * @param applicationProtocols offered by ALPN, the most wanted first; empty for no ALPN
     * @throws TlsConfigurationException if a file is missing or wrong, or a value means nothing
     */
    public JsseEngines(TlsOptions options, List<String> applicationProtocols) {
        this.options = options;
        List<String> alpn = List.copyOf(applicationProtocols);
        List<HostMaterial> materials = options.material().take();
        for (HostMaterial material : materials) {
            hosts.put(material.host().name(), new ReloadingHost(material, alpn));
        }
        defaultHost = Objects.requireNonNull(hosts.get(options.defaultHost().name()));
        for (TlsFinding finding : report(options, materials).findings()) {
            CertificateLog.LOG.warning(finding.host().name(), finding.text());
        }
    }

    /**
     * What a configuration comes to with this engine: reads its files, starts nothing, throws nothing. Engines that are
     * made of the same options afterwards use what was read, unless the files have changed.
     */
    public static TlsReport inspect(TlsOptions options) {
        return report(options, options.material().look());
    }

    private static TlsReport report(TlsOptions options, List<HostMaterial> materials) {
        return new JsseInspection(options, Instant.now()).report(materials);
    }

    @Override
    public @Nullable TlsEngine create(@Nullable String serverName, SocketAddress remote) {
        ReloadingHost host = serverName == null ? null : find(serverName);
        if (host == null && options.refuseUnknownHosts()) {
            return null;
        }
        SSLEngine engine = (host == null ? defaultHost : host).current().engine();
        try {
            return new JsseEngine(engine);
        } catch (SSLException e) {
            throw new IllegalStateException("a new engine can't begin a handshake", e);
        }
    }

    /** Looks at the files of all hosts every now and then; reads what changed on a thread that may block. Once. */
    public void watch(Timers timers, Executor mayBlock) {
        Duration interval = options.reloadInterval();
        if (watch == null && !interval.isZero()) {
            watch = new FileWatch(List.copyOf(hosts.values()), timers, mayBlock, interval);
            watch.begin();
        }
    }

    /**
     * Reads all files again, changed or not; blocks meanwhile. What can't be used stays as it is, and is logged.
     *
     * @return why hosts stayed as they are; empty if all have been loaded
     */
    public List<String> reload() {
        List<String> failures = new ArrayList<>();
        for (ReloadingHost host : hosts.values()) {
            String failure = host.reload();
            if (failure != null) {
                failures.add(host.name() + ": " + failure);
            }
        }
        return failures;
    }

    /** Ends the watching; engines can still be made. */
    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
    }

    private @Nullable ReloadingHost find(String serverName) {
        String name = HostPatterns.normal(serverName);
        ReloadingHost exact = hosts.get(name);
        return exact == null ? hosts.get(HostPatterns.wildcard(name)) : exact;
    }
}
