package io.millrace.tls.material;

import io.millrace.settings.Settings;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsClientSettings;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsProvider;
import io.millrace.tls.TlsSettings;
import io.millrace.tls.certificate.KeyEntry;
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
        Settings settings = options.settings();
        TlsProvider provider = TlsProviders.configured(settings.get(TlsOptions.IMPLEMENTATION));
        return provider.client(new TlsClientSettings(
                options,
                key(options.certificate()),
                Reading.versions(settings.get(TlsHost.PROTOCOLS)),
                Reading.ciphers(settings.find(TlsHost.CIPHERS), provider).names(),
                ClientAuthorities.authorities(
                        settings.find(TlsHost.CA_CERTIFICATE_FILE), settings.find(TlsHost.TRUSTSTORE))));
    }

    /**
     * Finds out whether {@link #open} would succeed, and keeps nothing. Reads all files; blocks meanwhile.
     *
     * @throws TlsConfigurationException as that would
     */
    public static void check(TlsClientOptions options) {
        open(options).close();
    }

    private static TlsSettings.@Nullable Key key(@Nullable TlsCertificate certificate) {
        if (certificate == null) {
            return null;
        }
        KeyEntry entry = CertificateLoader.load(certificate);
        return new TlsSettings.Key(entry.key(), entry.chain(), certificate);
    }
}
