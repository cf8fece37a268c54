package io.millrace.tls;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was read of a configuration's files for a report, kept for the engines that are made right afterwards: a start
 * reads certificates and checks keys once. Whoever takes it empties it, so that no key is kept that a
 * reload has replaced. Any thread.
 */
final class TlsMaterial {

    private final TlsOptions options;
    private @Nullable List<HostMaterial> latest;

    TlsMaterial(TlsOptions options) {
        this.options = options;
    }

    /** Of files as they are now; stays here. */
    synchronized List<HostMaterial> look(TlsProvider provider) {
        List<HostMaterial> known = latest;
        if (known == null || !known.stream().allMatch(HostMaterial::isFresh)) {
            known = options.hosts().stream()
                    .map(host -> HostMaterial.read(host, provider))
                    .toList();
            latest = known;
        }
        return known;
    }

    /** Of files as they are now; for one set of engines. */
    synchronized List<HostMaterial> take(TlsProvider provider) {
        List<HostMaterial> mine = look(provider);
        latest = null;
        return mine;
    }
}
