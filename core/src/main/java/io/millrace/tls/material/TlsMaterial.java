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
 * What was read of a configuration's files for a report, kept for the engines that are made right afterwards: a start
 * reads certificates and checks keys once. Whoever takes it empties it, so that no key is kept that a
 * reload has replaced. Any thread.
 */
final class TlsMaterial {

    /** By the identity of the options; what is kept refers to hosts, never to the options, so that it goes when they go. */
    private static final Map<TlsOptions, TlsMaterial> KEPT = Collections.synchronizedMap(new WeakHashMap<>());

    private @Nullable List<HostMaterial> latest;

    private TlsMaterial() {}

    /** Of files as they are now; kept for {@link #take}. */
    static List<HostMaterial> look(TlsOptions options, TlsProvider provider) {
        return of(options).look(options.hosts(), provider);
    }

    /** Of files as they are now; for one set of engines. */
    static List<HostMaterial> take(TlsOptions options, TlsProvider provider) {
        return of(options).take(options.hosts(), provider);
    }

    private static TlsMaterial of(TlsOptions options) {
        return KEPT.computeIfAbsent(options, first -> new TlsMaterial());
    }

    private synchronized List<HostMaterial> look(List<TlsHost> hosts, TlsProvider provider) {
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
        List<HostMaterial> mine = look(hosts, provider);
        latest = null;
        return mine;
    }
}
