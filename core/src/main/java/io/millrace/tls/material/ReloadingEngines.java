package io.millrace.tls.material;

import io.millrace.io.Timers;
import io.millrace.log.CoreLog;
import io.millrace.tls.HostPatterns;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsEngines;
import io.millrace.tls.TlsFinding;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsProvider;
import io.millrace.tls.TlsReport;
import io.millrace.tls.certificate.KeyEntry;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Creates the engines of a connector with the configured TLS implementation. Each host has a context of its own, which is replaced
 * when its files change. Existing connections keep their context, and invalid files have no effect. Thread-safe.
 */
public final class ReloadingEngines implements TlsEngines, AutoCloseable {

    private final TlsOptions options;
    private final Map<String, ReloadingHost> hosts = new LinkedHashMap<>();
    private final ReloadingHost defaultHost;
    private final List<String> lines;
    private @Nullable FileWatch watch;

    /**
     * Reads all files; blocks. Logs warnings about weak settings and certificates that expire.
     *
     * @param applicationProtocols offered by ALPN, in order of preference; empty for no ALPN
     * @throws TlsConfigurationException if a file is missing or invalid, or a setting is invalid
     */
    public ReloadingEngines(TlsOptions options, List<String> applicationProtocols) {
        this.options = options;
        TlsProvider provider = TlsProviders.configured(options.get(TlsOptions.IMPLEMENTATION));
        List<String> alpn = List.copyOf(applicationProtocols);
        List<HostMaterial> materials = TlsMaterial.take(options, provider);
        boolean complete = false;
        try {
            for (HostMaterial material : materials) {
                hosts.put(material.host().name(), new ReloadingHost(material, provider, alpn));
            }
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
        defaultHost = Objects.requireNonNull(hosts.get(options.defaultHost().name()));
        TlsReport report = new TlsInspection(options, provider, Instant.now()).report(materials);
        for (TlsFinding finding : report.findings()) {
            CoreLog.TLS.certificateWarning(finding.host().name(), finding.text());
        }
        lines = report.lines();
    }

    /**
     * Checks a configuration: reads its files, starts nothing, throws nothing. Engines created afterwards with the same options
     * use the parsed files, unless they have changed.
     */
    public static TlsReport inspect(TlsOptions options) {
        TlsProvider provider;
        try {
            provider = TlsProviders.configured(options.get(TlsOptions.IMPLEMENTATION));
        } catch (TlsConfigurationException missing) {
            String text = String.valueOf(missing.getMessage());
            TlsFinding finding = new TlsFinding(true, options.defaultHost(), null, missing.setting(), text);
            return new TlsReport(List.of(finding), List.of(), List.of());
        }
        return new TlsInspection(options, provider, Instant.now()).report(TlsMaterial.read(options, provider));
    }

    /** The hosts, by the names that the configuration gives them. */
    public Set<String> hosts() {
        return Collections.unmodifiableSet(hosts.keySet());
    }

    /** When the first of a host's certificates expires, in seconds since 1970; {@link Double#NaN} if it has none. */
    public double notAfter(String host) {
        ReloadingHost known = hosts.get(host);
        double first = Double.NaN;
        if (known != null) {
            for (KeyEntry each : known.entries()) {
                double end = each.certificate().getNotAfter().toInstant().getEpochSecond();
                first = first <= end ? first : end;
            }
        }
        return first;
    }

    @Override
    public @Nullable TlsEngine create(@Nullable String serverName, SocketAddress remote) throws IOException {
        ReloadingHost host = serverName == null ? null : find(serverName);
        if (host == null && options.get(TlsOptions.REFUSE_UNKNOWN_HOSTS)) {
            return null;
        }
        return (host == null ? defaultHost : host).engine(serverName, remote);
    }

    /** Logs the certificates and versions of each host, as in {@link #inspect}. */
    public void announce() {
        lines.forEach(CoreLog.TLS::certificatesInUse);
    }

    /** Starts to check the files of all hosts periodically, and to reload changed ones, on a thread that may block. */
    public void watch(Timers timers, Executor mayBlock) {
        Duration interval = options.get(TlsOptions.RELOAD_INTERVAL);
        if (watch == null && !interval.isZero()) {
            watch = new FileWatch(List.copyOf(hosts.values()), timers, mayBlock, interval);
            watch.begin();
        }
    }

    /**
     * Reads all files again, changed or not; blocks. A host whose files are invalid is unchanged; that is logged.
     *
     * @return the reasons why hosts are unchanged; empty if all were reloaded
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

    /** Stops checking files and creating engines. Existing engines are not affected. */
    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
        hosts.values().forEach(ReloadingHost::close);
    }

    private @Nullable ReloadingHost find(String serverName) {
        String name = HostPatterns.normal(serverName);
        ReloadingHost exact = hosts.get(name);
        return exact == null ? hosts.get(HostPatterns.wildcard(name)) : exact;
    }
}
