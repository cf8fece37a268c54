package io.millrace.tls;

import io.millrace.tls.certificate.KeyEntry;
import io.millrace.tls.cipher.CipherList;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * What a host's files and settings come to for JSSE, read once: for a report, which wants all mistakes, and for engines,
 * which want none.
 *
 * @param stamps how the files looked just before they were read
 * @param entries keys and chains, in the order of the host's certificates; incomplete after a mistake
 * @param context with those keys and with whom clients are verified by; null if this Java can't make one
 * @param versions newest first; empty after a mistake
 * @param ciphers null after a mistake
 * @param mistakes the first is why there can be no engine
 */
record HostMaterial(
        TlsHost host,
        FileStamps stamps,
        List<KeyEntry> entries,
        @Nullable SSLContext context,
        List<String> versions,
        @Nullable CipherList ciphers,
        List<TlsConfigurationException> mistakes) {

    static HostMaterial read(TlsHost host) {
        return new Reader(host).read();
    }

    /** Are the files still those that were read? */
    boolean isFresh() {
        return stamps.equals(FileStamps.of(host));
    }

    /** Goes on after each mistake, as far as it makes sense. */
    private static final class Reader {

        private final TlsHost host;
        private final List<TlsConfigurationException> mistakes = new ArrayList<>();

        Reader(TlsHost host) {
            this.host = host;
        }

        HostMaterial read() {
            FileStamps stamps = FileStamps.of(host); // before the reading: a change meanwhile must not be missed
            List<KeyEntry> entries = new ArrayList<>();
            for (TlsCertificate certificate : host.certificates()) {
                KeyEntry entry = attempt(() -> CertificateLoader.load(certificate));
                if (entry != null) {
                    entries.add(entry);
                }
            }
            TrustManager[] clients = attempt(() -> ClientTrust.managers(host));
            SSLContext context = attempt(() -> context(entries, clients == null ? ClientTrust.NOBODY : clients));
            List<String> versions = attempt(() -> JsseHost.versions(host));
            CipherList ciphers = context == null ? null : attempt(() -> JsseHost.ciphers(host, context));
            return new HostMaterial(
                    host,
                    stamps,
                    List.copyOf(entries),
                    context,
                    versions == null ? List.of() : versions,
                    ciphers,
                    List.copyOf(mistakes));
        }

        private SSLContext context(List<KeyEntry> entries, TrustManager[] clients) {
            try {
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(new KeyManager[] {new HostKeys(entries)}, clients, null);
                return context;
            } catch (GeneralSecurityException e) {
                throw new TlsConfigurationException(
                        TlsSetting.CERTIFICATE_FILE, "this Java can't use the certificates of " + host + ": " + e, e);
            }
        }

        private <T> @Nullable T attempt(Supplier<T> step) {
            try {
                return step.get();
            } catch (TlsConfigurationException mistake) {
                mistakes.add(mistake);
                return null;
            }
        }
    }
}
