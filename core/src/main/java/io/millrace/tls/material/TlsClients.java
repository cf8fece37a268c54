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

/** Creates the TLS engines of clients from files, which are read once. */
public final class TlsClients {

    private TlsClients() {}

    /**
     * Reads all files; blocks.
     *
     * @throws TlsConfigurationException if a file is missing or invalid, or a setting is invalid
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
     * Checks whether {@link #open} would succeed. Reads all files; blocks.
     *
     * @throws TlsConfigurationException as for {@link #open}
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
