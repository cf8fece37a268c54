package io.millrace.tls;

import io.millrace.tls.certificate.Pem;
import io.millrace.tls.certificate.StoreReader;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.List;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Whose certificates clients may show. */
final class ClientTrust {

    /** Without one the JDK would load its own list of authorities, for nothing. */
    static final TrustManager[] NOBODY = {};

    private ClientTrust() {}

    static TrustManager[] managers(TlsHost host) {
        return switch (host.clientVerification()) {
            case NONE -> NOBODY;
            case OPTIONAL_NO_CA -> new TrustManager[] {new AnyClient()};
            case OPTIONAL, REQUIRED -> verifying(host);
        };
    }

    private static TrustManager[] verifying(TlsHost host) {
        List<X509Certificate> authorities = authorities(host);
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            if (authorities == null) {
                factory.init((KeyStore) null);
            } else {
                factory.init(new CertPathTrustManagerParameters(parameters(host, authorities)));
            }
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new TlsConfigurationException(
                    TlsSetting.CLIENT_VERIFICATION, "clients can't be verified: " + e.getMessage(), e);
        }
    }

    /** Null to trust whom the JDK trusts. */
    private static @Nullable List<X509Certificate> authorities(TlsHost host) {
        Path file = host.caFile();
        if (file != null) {
            return Reading.file(TlsSetting.CA_FILE, file, Pem::certificates);
        }
        Keystore truststore = host.truststore();
        if (truststore == null) {
            return null;
        }
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

    private static PKIXBuilderParameters parameters(TlsHost host, List<X509Certificate> authorities)
            throws GeneralSecurityException {
        PKIXBuilderParameters parameters = new PKIXBuilderParameters(store(authorities), new X509CertSelector());
        parameters.setMaxPathLength(host.verificationDepth());
        parameters.addCertPathChecker(new PathLength(host.verificationDepth()));
        parameters.setRevocationEnabled(false);
        Path lists = host.revocationFile();
        if (lists != null) {
            checkRevocation(parameters, lists);
        }
        return parameters;
    }

    /** Only by these lists: a handshake must not wait for somebody's OCSP responder. */
    private static void checkRevocation(PKIXBuilderParameters parameters, Path lists)
            throws GeneralSecurityException, InvalidAlgorithmParameterException {
        PKIXRevocationChecker checker =
                (PKIXRevocationChecker) CertPathBuilder.getInstance("PKIX").getRevocationChecker();
        checker.setOptions(EnumSet.of(Option.PREFER_CRLS, Option.NO_FALLBACK, Option.ONLY_END_ENTITY));
        parameters.addCertPathChecker(checker);
        parameters.addCertStore(CertStore.getInstance(
                "Collection",
                new CollectionCertStoreParameters(
                        Reading.file(TlsSetting.REVOCATION_FILE, lists, Pem::revocationLists))));
    }

    private static KeyStore store(List<X509Certificate> certificates) throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (int i = 0; i < certificates.size(); i++) {
                store.setCertificateEntry("authority-" + i, certificates.get(i));
            }
            return store;
        } catch (IOException e) {
            throw new IllegalStateException("an empty keystore can't be made", e);
        }
    }
}
