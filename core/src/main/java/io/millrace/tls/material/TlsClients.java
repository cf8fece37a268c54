package io.millrace.tls.material;

import io.millrace.tls.Keystore;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsClientSettings;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.TlsSettings;
import io.millrace.tls.certificate.KeyEntry;
import io.millrace.tls.certificate.Pem;
import io.millrace.tls.cipher.CipherList;
import io.millrace.tls.cipher.ProtocolVersions;
import io.millrace.tls.jsse.JsseClient;
import io.millrace.tls.jsse.JsseProvider;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** TLS of clients, by the JDK, from files as they are when it is opened. */
public final class TlsClients {

    private TlsClients() {}

    /**
     * Reads all files; blocks meanwhile.
     *
     * @throws TlsConfigurationException if a file is missing or wrong, or a value means nothing
     */
    public static TlsClientEngines open(TlsClientOptions options) {
        List<String> suites =
                CipherList.strong(JsseProvider.INSTANCE.cipherSuites()).names();
        return JsseClient.of(new TlsClientSettings(
                options, key(options.certificate()), versions(options), suites, authorities(options)));
    }

    private static TlsSettings.@Nullable Key key(@Nullable TlsCertificate certificate) {
        if (certificate == null) {
            return null;
        }
        KeyEntry entry = CertificateLoader.load(certificate);
        return new TlsSettings.Key(entry.key(), entry.chain(), certificate);
    }

    private static List<String> versions(TlsClientOptions options) {
        try {
            return ProtocolVersions.parse(options.protocols());
        } catch (IllegalArgumentException e) {
            throw new TlsConfigurationException(TlsSetting.PROTOCOLS, String.valueOf(e.getMessage()), e);
        }
    }

    private static @Nullable List<X509Certificate> authorities(TlsClientOptions options) {
        Path file = options.caFile();
        Keystore store = options.truststore();
        if (file != null) {
            return Reading.file(TlsSetting.CA_FILE, file, Pem::certificates);
        }
        return store == null ? null : ClientAuthorities.trusted(store);
    }
}
