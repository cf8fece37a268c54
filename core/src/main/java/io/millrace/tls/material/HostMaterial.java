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
 * The parsed files and settings of a host for a TLS implementation. Read once, for a report, which lists all errors, and for
 * engines, which require that there are none.
 *
 * @param stamps the state of the files just before they were read
 * @param entries keys and chains, in the order of the host's certificates; incomplete after an error
 * @param authorities null after an error
 * @param ocspResponses incomplete after an error
 * @param versions newest first; empty after an error
 * @param ciphers null after an error
 * @param errors the errors; with any, no engine can be created
 */
record HostMaterial(
        TlsHost host,
        FileStamps stamps,
        List<KeyEntry> entries,
        @Nullable ClientAuthorities authorities,
        List<TlsSettings.OcspResponse> ocspResponses,
        List<String> versions,
        @Nullable CipherList ciphers,
        List<TlsConfigurationException> errors) {

    static HostMaterial read(TlsHost host, TlsProvider provider) {
        return new Reader(host, provider).read();
    }

    /** Whether the files are unchanged since they were read. */
    boolean isFresh() {
        return stamps.equals(FileStamps.of(host));
    }

    /** The settings for engines; throws the first error. */
    TlsSettings settings(List<String> applicationProtocols) {
        if (!errors.isEmpty() || authorities == null || ciphers == null) {
            throw errors.get(0);
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

    /** Continues after errors, to find as many as possible. */
    private static final class Reader {

        private final TlsHost host;
        private final TlsProvider provider;
        private final List<TlsConfigurationException> errors = new ArrayList<>();

        Reader(TlsHost host, TlsProvider provider) {
            this.host = host;
            this.provider = provider;
        }

        HostMaterial read() {
            FileStamps stamps = FileStamps.of(host); // before reading, so that a concurrent change is detected later
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
                    List.copyOf(errors));
            return errors.isEmpty() ? read.checked(provider) : read;
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
            } catch (TlsConfigurationException error) {
                errors.add(error);
                return null;
            }
        }
    }

    private HostMaterial checked(TlsProvider provider) {
        try {
            provider.check(settings(List.of()));
            return this;
        } catch (TlsConfigurationException error) {
            return new HostMaterial(
                    host, stamps, entries, authorities, ocspResponses, versions, ciphers, List.of(error));
        }
    }
}
