package io.millrace.tls;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was read of a configuration's files for a report, kept for the engines that are made right afterwards: a start
 * reads certificates, checks keys and makes contexts once. Whoever takes it empties it, so that no key is kept that a
 * reload has replaced. Any thread.
 */
final class TlsMaterial {

    private final TlsOptions options;
    private @Nullable List<HostMaterial> latest;

    TlsMaterial(TlsOptions options) {
        this.options = options;
    }

    /** Of files as they are now; stays here. */
    synchronized List<HostMaterial> look() {
        List<HostMaterial> known = latest;
        if (known == null || !known.stream().allMatch(HostMaterial::isFresh)) {
            known = options.hosts().stream().map(HostMaterial::read).toList();
            latest = known;
        }
        return known;
    }

    /** Of files as they are now; for one set of engines, since their sessions must not be another's. */
    synchronized List<HostMaterial> take() {
        List<HostMaterial> mine = look();
        latest = null;
        return mine;
    }
}
