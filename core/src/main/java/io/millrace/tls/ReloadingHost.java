package io.millrace.tls;

import io.millrace.tls.certificate.KeyEntry;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A host and its latest usable state. */
final class ReloadingHost {

    private final TlsHost host;
    private final List<String> applicationProtocols;
    private volatile JsseHost current;

    // guarded by this

    private FileStamps loaded;
    private FileStamps seen;

    /** Throws a {@link TlsConfigurationException} if there is a mistake in what was read. */
    ReloadingHost(HostMaterial material, List<String> applicationProtocols) {
        this.host = material.host();
        this.applicationProtocols = applicationProtocols;
        current = JsseHost.of(material, applicationProtocols);
        loaded = material.stamps();
        seen = loaded;
    }

    String name() {
        return host.name();
    }

    JsseHost current() {
        return current;
    }

    /**
     * Looks at the files, and reads them if they changed and rest since the last look: whoever writes certificate and key
     * needs a moment for both.
     *
     * @return true if they changed and are to be looked at again soon
     */
    synchronized boolean look() {
        FileStamps now = FileStamps.of(host);
        boolean resting = now.equals(seen);
        seen = now;
        if (now.equals(loaded)) {
            return false;
        }
        if (resting) {
            reload();
        }
        return !resting;
    }

    /** Why the files can't be used; null if they are in use now. */
    synchronized @Nullable String reload() {
        HostMaterial material = HostMaterial.read(host);
        loaded = material.stamps(); // also if they are broken: said once, tried again when they change
        try {
            JsseHost next = JsseHost.of(material, applicationProtocols);
            current = next;
            CertificateLog.LOG.reloaded(
                    name(),
                    next.entries().stream().map(CertificateText::describe).collect(Collectors.joining("; ")));
            return null;
        } catch (TlsConfigurationException e) {
            String reason = String.valueOf(e.getMessage());
            CertificateLog.LOG.notReloaded(name(), reason);
            return reason;
        }
    }

    void warnOfExpiry() {
        for (KeyEntry entry : current.entries()) {
            CertificateText.warnings(entry, Instant.now()).forEach(text -> CertificateLog.LOG.warning(name(), text));
        }
    }
}
