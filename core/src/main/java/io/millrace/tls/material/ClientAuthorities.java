package io.millrace.tls.material;

import io.millrace.tls.Keystore;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.certificate.Pem;
import io.millrace.tls.certificate.StoreReader;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The authorities and revocation lists for clients' certificates, from a host's files.
 *
 * @param authorities null for those of the JDK
 * @param revocationLists null for no check
 */
record ClientAuthorities(
        @Nullable List<X509Certificate> authorities,
        @Nullable List<X509CRL> revocationLists) {

    /** Reads nothing unless clients' certificates are verified. */
    static ClientAuthorities read(TlsHost host) {
        return switch (host.get(TlsHost.CERTIFICATE_VERIFICATION)) {
            case NONE, OPTIONAL_NO_CA -> new ClientAuthorities(null, null);
            case OPTIONAL, REQUIRED -> new ClientAuthorities(authorities(host), revocationLists(host));
        };
    }

    private static @Nullable List<X509Certificate> authorities(TlsHost host) {
        KeyStore loaded = host.truststore();
        return loaded == null
                ? authorities(host.find(TlsHost.CA_CERTIFICATE_FILE), host.find(TlsHost.TRUSTSTORE))
                : trusted(loaded);
    }

    /** The authorities of the PEM file, or else of the keystore; null without either, for those of the JDK. */
    static @Nullable List<X509Certificate> authorities(@Nullable Path file, @Nullable Keystore truststore) {
        if (file != null) {
            return Reading.file(TlsSetting.CA_FILE, file, Pem::certificates);
        }
        return truststore == null ? null : trusted(truststore);
    }

    private static List<X509Certificate> trusted(KeyStore loaded) {
        List<X509Certificate> trusted;
        try {
            trusted = StoreReader.trusted(loaded);
        } catch (KeyStoreException e) {
            throw new TlsConfigurationException(TlsSetting.TRUSTSTORE, "the loaded truststore " + e.getMessage(), e);
        }
        if (trusted.isEmpty()) {
            throw new TlsConfigurationException(
                    TlsSetting.TRUSTSTORE, "the loaded truststore has no trusted certificate", null);
        }
        return trusted;
    }

    /** The trusted certificates of a keystore file; at least one. */
    private static List<X509Certificate> trusted(Keystore truststore) {
        char[] password = Reading.password(TlsSetting.TRUSTSTORE, truststore.password());
        KeyStore store = CertificateLoader.open(truststore, password, TlsSetting.TRUSTSTORE);
        List<X509Certificate> trusted =
                Reading.file(TlsSetting.TRUSTSTORE, truststore.file(), same -> StoreReader.trusted(store));
        if (trusted.isEmpty()) {
            throw new TlsConfigurationException(
                    TlsSetting.TRUSTSTORE, truststore.file() + ": has no trusted certificate", null);
        }
        return trusted;
    }

    /** Null without configured authorities: the lists of the JDK's authorities are not available as files. */
    private static @Nullable List<X509CRL> revocationLists(TlsHost host) {
        Path file = host.find(TlsHost.CERTIFICATE_REVOCATION_LIST_FILE);
        boolean configured = host.truststore() != null
                || host.find(TlsHost.CA_CERTIFICATE_FILE) != null
                || host.find(TlsHost.TRUSTSTORE) != null;
        return file == null || !configured
                ? null
                : Reading.file(TlsSetting.REVOCATION_FILE, file, ClientAuthorities::lists);
    }

    private static List<X509CRL> lists(Path file) throws IOException, GeneralSecurityException {
        return Pem.revocationLists(file).stream().map(X509CRL.class::cast).toList();
    }
}
