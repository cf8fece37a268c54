package io.millrace.tls.material;

import io.millrace.io.Timers;
import io.millrace.tls.HostPatterns;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsEngines;
import io.millrace.tls.TlsFinding;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsProvider;
import io.millrace.tls.TlsReport;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Makes the engines of a connector, of whichever implementation its options choose. Each host has a context of its own, made
 * anew when its files change: connections under way keep theirs, and a file that can't be used changes nothing. Any thread.
 */
public final class ReloadingEngines implements TlsEngines, AutoCloseable {

    private final TlsOptions options;
    private final Map<String, ReloadingHost> hosts = new LinkedHashMap<>();
    private final ReloadingHost defaultHost;
    private final List<String> lines;
    private @Nullable FileWatch watch;

    /**
     * Reads all files; blocks meanwhile. Warns of what is weak or expires.
     *
     * @param applicationProtocols offered by ALPN, the most wanted first; empty for no ALPN
     * @throws TlsConfigurationException if a file is missing or wrong, or a value means nothing
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
            CertificateLog.LOG.warning(finding.host().name(), finding.text());
        }
        lines = report.lines();
    }

    /**
     * What a configuration comes to: reads its files, starts nothing, throws nothing. Engines that are made of the same
     * options afterwards use what was read, unless the files have changed.
     */
    public static TlsReport inspect(TlsOptions options) {
        TlsProvider provider;
        try {
            provider = TlsProviders.configured(options.get(TlsOptions.IMPLEMENTATION));
        } catch (TlsConfigurationException missing) {
            String text = String.valueOf(missing.getMessage());
            TlsFinding finding = new TlsFinding(true, options.defaultHost(), null, missing.setting(), text);
            return new TlsReport(List.of(finding), List.of());
        }
        return new TlsInspection(options, provider, Instant.now()).report(TlsMaterial.look(options, provider));
    }

    @Override
    public @Nullable TlsEngine create(@Nullable String serverName, SocketAddress remote) throws IOException {
        ReloadingHost host = serverName == null ? null : find(serverName);
        if (host == null && options.get(TlsOptions.REFUSE_UNKNOWN_HOSTS)) {
            return null;
        }
        return (host == null ? defaultHost : host).engine(serverName, remote);
    }

    /** Tells the log what each host began with, as {@link #inspect} words it. */
    public void announce() {
        lines.forEach(CertificateLog.LOG::inUse);
    }

    /** Looks at the files of all hosts every now and then; reads what changed on a thread that may block. Once. */
    public void watch(Timers timers, Executor mayBlock) {
        Duration interval = options.get(TlsOptions.RELOAD_INTERVAL);
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

    /** Ends the watching. Engines that are there go on, and no more are made. */
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
