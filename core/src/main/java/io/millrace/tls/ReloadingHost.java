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
    private volatile FileStamps loaded;
    private FileStamps seen;

    ReloadingHost(TlsHost host, List<String> applicationProtocols) {
        this.host = host;
        this.applicationProtocols = applicationProtocols;
        loaded = FileStamps.of(host); // before the reading: a change meanwhile must not be missed
        seen = loaded;
        current = JsseHost.load(host, applicationProtocols);
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
        FileStamps now = FileStamps.of(host);
        loaded = now; // also if they are broken: said once, tried again when they change
        try {
            JsseHost next = JsseHost.load(host, applicationProtocols);
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
