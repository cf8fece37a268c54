package io.millrace.tls.material;

import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsProvider;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the material read for a report, for the engines that are created afterwards, so that certificates are read and keys
 * checked once at start. {@link #take} empties it, so that it never holds a key that a reload has replaced. Thread-safe.
 */
final class TlsMaterial {

    /** Keyed by the identity of the options. The material refers to hosts, never to the options, so that entries can be collected with them. */
    private static final Map<TlsOptions, TlsMaterial> CACHE = Collections.synchronizedMap(new WeakHashMap<>());

    private @Nullable List<HostMaterial> latest;

    private TlsMaterial() {}

    /** The material of the current files; cached for {@link #take}. */
    static List<HostMaterial> read(TlsOptions options, TlsProvider provider) {
        return of(options).read(options.hosts(), provider);
    }

    /** The material of the current files, for one set of engines; empties the cache. */
    static List<HostMaterial> take(TlsOptions options, TlsProvider provider) {
        return of(options).take(options.hosts(), provider);
    }

    private static TlsMaterial of(TlsOptions options) {
        return CACHE.computeIfAbsent(options, first -> new TlsMaterial());
    }

    private synchronized List<HostMaterial> read(List<TlsHost> hosts, TlsProvider provider) {
        List<HostMaterial> known = latest;
        if (known == null || !known.stream().allMatch(HostMaterial::isFresh)) {
            known = hosts.stream()
                    .map(host -> HostMaterial.read(host, provider))
                    .toList();
            latest = known;
        }
        return known;
    }

    private synchronized List<HostMaterial> take(List<TlsHost> hosts, TlsProvider provider) {
        List<HostMaterial> known = read(hosts, provider);
        latest = null;
        return known;
    }
}
