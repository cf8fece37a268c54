package io.millrace.boot;

import io.millrace.tls.ClientVerification;
import io.millrace.tls.Password;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import java.io.InputStream;
import java.net.URL;
import java.security.KeyStore;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.SslStoreProvider;
import org.springframework.boot.web.server.WebServerException;
import org.springframework.util.ResourceUtils;

/** Reads {@code server.ssl.*}. */
final class BootTls {

    private BootTls() {}

    /** @param provider null for stores in files */
    static TlsOptions options(Ssl ssl, @Nullable SslStoreProvider provider) {
        KeyStore keys = keys(ssl, provider);
        String password = ssl.getKeyPassword() != null ? ssl.getKeyPassword() : ssl.getKeyStorePassword();
        TlsHost host = TlsHost.any()
                .certificate(new TlsCertificate.Loaded(
                        keys, ssl.getKeyAlias(), Password.of(password == null ? "" : password)));
        if (ssl.getEnabledProtocols() != null) {
            host = host.with(TlsHost.PROTOCOLS, String.join("+", ssl.getEnabledProtocols()));
        }
        if (ssl.getCiphers() != null) {
            host = host.with(TlsHost.CIPHERS, String.join(":", ssl.getCiphers()));
        }
        if (ssl.getClientAuth() != null) {
            host = host.with(
                    TlsHost.CERTIFICATE_VERIFICATION,
                    switch (ssl.getClientAuth()) {
                        case NONE -> ClientVerification.NONE;
                        case WANT -> ClientVerification.OPTIONAL;
                        case NEED -> ClientVerification.REQUIRED;
                    });
        }
        KeyStore trusted = trusted(ssl, provider);
        return TlsOptions.of(trusted == null ? host : host.truststore(trusted));
    }

    private static KeyStore keys(Ssl ssl, @Nullable SslStoreProvider provider) {
        KeyStore provided;
        try {
            provided = provider == null ? null : provider.getKeyStore();
        } catch (Exception e) {
            throw new WebServerException("The key store of server.ssl cannot be loaded: " + e.getMessage(), e);
        }
        if (provided != null) {
            return provided;
        }
        if (ssl.getKeyStore() == null) {
            throw new WebServerException(
                    "server.ssl.enabled is true without a certificate: set server.ssl.key-store, or"
                            + " server.ssl.certificate and server.ssl.certificate-private-key",
                    null);
        }
        return load(
                "server.ssl.key-store",
                ssl.getKeyStore(),
                ssl.getKeyStoreType(),
                ssl.getKeyStoreProvider(),
                ssl.getKeyStorePassword());
    }

    private static @Nullable KeyStore trusted(Ssl ssl, @Nullable SslStoreProvider provider) {
        KeyStore provided;
        try {
            provided = provider == null ? null : provider.getTrustStore();
        } catch (Exception e) {
            throw new WebServerException("The trust store of server.ssl cannot be loaded: " + e.getMessage(), e);
        }
        if (provided != null || ssl.getTrustStore() == null) {
            return provided;
        }
        return load(
                "server.ssl.trust-store",
                ssl.getTrustStore(),
                ssl.getTrustStoreType(),
                ssl.getTrustStoreProvider(),
                ssl.getTrustStorePassword());
    }

    private static KeyStore load(
            String property,
            String location,
            @Nullable String type,
            @Nullable String provider,
            @Nullable String password) {
        try {
            String kind = type == null ? "JKS" : type; // of the JDK since Java 9: reads PKCS#12 as well
            KeyStore store = provider == null ? KeyStore.getInstance(kind) : KeyStore.getInstance(kind, provider);
            URL url = ResourceUtils.getURL(location);
            try (InputStream in = url.openStream()) {
                store.load(in, password == null ? null : password.toCharArray());
            }
            return store;
        } catch (Exception e) {
            throw new WebServerException(
                    property + " " + location + " cannot be loaded: " + e.getMessage()
                            + "; check the file, its type and its password",
                    e);
        }
    }
}
