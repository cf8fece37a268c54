package io.millrace.tls.material;

import io.millrace.tls.Keystore;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsClientSettings;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsProvider;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.TlsSettings;
import io.millrace.tls.certificate.KeyEntry;
import io.millrace.tls.certificate.Pem;
import io.millrace.tls.cipher.CipherList;
import io.millrace.tls.cipher.ProtocolVersions;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** TLS of clients, from files as they are when it is opened. */
public final class TlsClients {

    private TlsClients() {}

    /**
     * Reads all files; blocks meanwhile.
     *
     * @throws TlsConfigurationException if a file is missing or wrong, or a value means nothing
     */
    public static TlsClientEngines open(TlsClientOptions options) {
        TlsProvider provider = provider(options.implementation());
        return provider.client(new TlsClientSettings(
                options,
                key(options.certificate()),
                versions(options),
                ciphers(options, provider).names(),
                authorities(options)));
    }

    /**
     * Finds out whether {@link #open} would succeed, and keeps nothing. Reads all files; blocks meanwhile.
     *
     * @throws TlsConfigurationException as that would
     */
    public static void check(TlsClientOptions options) {
        open(options).close();
    }

    private static TlsProvider provider(TlsImplementation wanted) {
        try {
            return TlsProviders.of(wanted);
        } catch (IllegalStateException unusable) {
            throw new TlsConfigurationException(
                    TlsSetting.IMPLEMENTATION, String.valueOf(unusable.getMessage()), unusable);
        }
    }

    private static CipherList ciphers(TlsClientOptions options, TlsProvider provider) {
        String configured = options.ciphers();
        List<String> supported = provider.cipherSuites();
        try {
            return configured == null ? CipherList.strong(supported) : CipherList.of(configured, supported);
        } catch (IllegalArgumentException e) {
            throw new TlsConfigurationException(TlsSetting.CIPHERS, String.valueOf(e.getMessage()), e);
        }
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
