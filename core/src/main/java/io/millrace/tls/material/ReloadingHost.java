package io.millrace.tls.material;

import io.millrace.log.CoreLog;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsContext;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsProvider;
import io.millrace.tls.certificate.KeyEntry;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A host and its current context, from the last valid state of its files. */
final class ReloadingHost {

    private final TlsHost host;
    private final TlsProvider provider;
    private final List<String> applicationProtocols;
    private volatile Loaded current;
    private volatile boolean closed;

    // guarded by this

    private FileStamps loaded;
    private FileStamps seen;

    /** Throws a {@link TlsConfigurationException} if the material has errors. */
    ReloadingHost(HostMaterial material, TlsProvider provider, List<String> applicationProtocols) {
        this.host = material.host();
        this.provider = provider;
        this.applicationProtocols = applicationProtocols;
        current = open(material);
        loaded = material.stamps();
        seen = loaded;
    }

    private Loaded open(HostMaterial material) {
        return new Loaded(provider.open(material.settings(applicationProtocols)), material.entries());
    }

    String name() {
        return host.name();
    }

    /** Its keys and chains. */
    List<KeyEntry> entries() {
        return current.entries;
    }

    /** An engine of the current context; throws a {@link ClosedChannelException} once closed. */
    TlsEngine engine(@Nullable String serverName, SocketAddress remote) throws IOException {
        while (true) {
            try {
                return current.context.engine(serverName, remote);
            } catch (ClosedChannelException replaced) {
                if (closed) {
                    throw replaced;
                }
            }
        }
    }

    /**
     * Checks the files, and reloads them if they have changed, but not since the last check: certificate and key are written one
     * after the other.
     *
     * @return true if they have changed just now, and must be checked again soon
     */
    synchronized boolean check() {
        FileStamps now = FileStamps.of(host);
        boolean settled = now.equals(seen);
        seen = now;
        if (now.equals(loaded)) {
            return false;
        }
        if (settled) {
            reload();
        }
        return !settled;
    }

    /** Reloads the files. Returns the reason if they are invalid; null on success. */
    synchronized @Nullable String reload() {
        if (closed) {
            return null;
        }
        HostMaterial material = HostMaterial.read(host, provider);
        loaded = material.stamps(); // even if they are invalid, which is logged once; the next change is tried
        try {
            Loaded before = current;
            Loaded next = open(material);
            current = next;
            before.context.close();
            CoreLog.TLS.certificatesReloaded(
                    name(), next.entries.stream().map(CertificateText::describe).collect(Collectors.joining("; ")));
            return null;
        } catch (TlsConfigurationException e) {
            String reason = String.valueOf(e.getMessage());
            CoreLog.TLS.certificatesNotReloaded(name(), reason);
            return reason;
        }
    }

    void warnOfExpiry() {
        for (KeyEntry entry : current.entries) {
            CertificateText.warnings(entry, Instant.now())
                    .forEach(text -> CoreLog.TLS.certificateWarning(name(), text));
        }
    }

    /** Creates no further engines. */
    synchronized void close() {
        closed = true;
        current.context.close();
    }

    private record Loaded(TlsContext context, List<KeyEntry> entries) {}
}
