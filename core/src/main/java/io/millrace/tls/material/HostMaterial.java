package io.millrace.tls.material;

import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsProvider;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.TlsSettings;
import io.millrace.tls.certificate.KeyEntry;
import io.millrace.tls.cipher.CipherList;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a host's files and settings come to for an implementation of TLS, read once: for a report, which wants all mistakes,
 * and for engines, which want none.
 *
 * @param stamps how the files looked just before they were read
 * @param entries keys and chains, in the order of the host's certificates; incomplete after a mistake
 * @param authorities null after a mistake
 * @param ocspResponses incomplete after a mistake
 * @param versions newest first; empty after a mistake
 * @param ciphers null after a mistake
 * @param mistakes the first is why there can be no engine
 */
record HostMaterial(
        TlsHost host,
        FileStamps stamps,
        List<KeyEntry> entries,
        @Nullable ClientAuthorities authorities,
        List<TlsSettings.OcspResponse> ocspResponses,
        List<String> versions,
        @Nullable CipherList ciphers,
        List<TlsConfigurationException> mistakes) {

    static HostMaterial read(TlsHost host, TlsProvider provider) {
        return new Reader(host, provider).read();
    }

    /** Are the files still those that were read? */
    boolean isFresh() {
        return stamps.equals(FileStamps.of(host));
    }

    /** For engines; throws the first mistake. */
    TlsSettings settings(List<String> applicationProtocols) {
        if (!mistakes.isEmpty() || authorities == null || ciphers == null) {
            throw mistakes.get(0);
        }
        Map<String, TlsSettings.Key> keys = new LinkedHashMap<>();
        for (int i = 0; i < entries.size(); i++) {
            KeyEntry entry = entries.get(i);
            TlsCertificate source = host.certificates().get(i);
            keys.putIfAbsent(entry.type(), new TlsSettings.Key(entry.key(), entry.chain(), source));
        }
        return new TlsSettings(
                host,
                List.copyOf(keys.values()),
                versions,
                ciphers.names(),
                authorities.authorities(),
                authorities.revocationLists(),
                ocspResponses,
                applicationProtocols);
    }

    /** Goes on after each mistake, as far as it makes sense. */
    private static final class Reader {

        private final TlsHost host;
        private final TlsProvider provider;
        private final List<TlsConfigurationException> mistakes = new ArrayList<>();

        Reader(TlsHost host, TlsProvider provider) {
            this.host = host;
            this.provider = provider;
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
            ClientAuthorities authorities = attempt(() -> ClientAuthorities.read(host));
            List<TlsSettings.OcspResponse> responses = attempt(this::ocspResponses);
            List<String> versions = attempt(() -> Reading.versions(host.get(TlsHost.PROTOCOLS)));
            CipherList ciphers = attempt(() -> Reading.ciphers(host.find(TlsHost.CIPHERS), provider));
            HostMaterial read = new HostMaterial(
                    host,
                    stamps,
                    List.copyOf(entries),
                    authorities,
                    responses == null ? List.of() : responses,
                    versions == null ? List.of() : versions,
                    ciphers,
                    List.copyOf(mistakes));
            return mistakes.isEmpty() ? read.checked(provider) : read;
        }

        private List<TlsSettings.OcspResponse> ocspResponses() {
            List<TlsSettings.OcspResponse> read = new ArrayList<>();
            for (Path file : host.ocspResponseFiles()) {
                byte[] der = Reading.file(TlsSetting.OCSP_RESPONSE_FILE, file, Files::readAllBytes);
                read.add(new TlsSettings.OcspResponse(ByteBuffer.wrap(der).asReadOnlyBuffer(), file));
            }
            return List.copyOf(read);
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

    private HostMaterial checked(TlsProvider provider) {
        try {
            provider.check(settings(List.of()));
            return this;
        } catch (TlsConfigurationException mistake) {
            return new HostMaterial(
                    host, stamps, entries, authorities, ocspResponses, versions, ciphers, List.of(mistake));
        }
    }
}
