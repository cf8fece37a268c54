package io.millrace.tls.jsse;

import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.TlsSettings;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.X509CRL;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.List;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** The trust managers for clients' certificates. */
final class ClientTrust {

    /** Not null, for which the JDK would load its authorities needlessly. */
    static final TrustManager[] NONE = {};

    private ClientTrust() {}

    static TrustManager[] managers(TlsSettings settings) {
        return switch (settings.host().get(TlsHost.CERTIFICATE_VERIFICATION)) {
            case NONE -> NONE;
            case OPTIONAL_NO_CA -> new TrustManager[] {new AnyClient()};
            case OPTIONAL, REQUIRED -> verifying(settings);
        };
    }

    private static TrustManager[] verifying(TlsSettings settings) {
        List<X509Certificate> authorities = settings.authorities();
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            if (authorities == null) {
                factory.init((KeyStore) null);
            } else {
                factory.init(new CertPathTrustManagerParameters(parameters(settings, authorities)));
            }
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new TlsConfigurationException(
                    TlsSetting.CLIENT_VERIFICATION, "cannot verify clients: " + e.getMessage(), e);
        }
    }

    private static PKIXBuilderParameters parameters(TlsSettings settings, List<X509Certificate> authorities)
            throws GeneralSecurityException {
        PKIXBuilderParameters parameters = new PKIXBuilderParameters(store(authorities), new X509CertSelector());
        int depth = settings.host().get(TlsHost.CERTIFICATE_VERIFICATION_DEPTH);
        parameters.setMaxPathLength(depth);
        parameters.addCertPathChecker(new PathLength(depth));
        parameters.setRevocationEnabled(false);
        List<X509CRL> lists = settings.revocationLists();
        if (lists != null) {
            checkRevocation(parameters, lists);
        }
        return parameters;
    }

    /** Checks only these lists: a handshake must not wait for a remote OCSP responder. */
    private static void checkRevocation(PKIXBuilderParameters parameters, List<X509CRL> lists)
            throws GeneralSecurityException, InvalidAlgorithmParameterException {
        PKIXRevocationChecker checker =
                (PKIXRevocationChecker) CertPathBuilder.getInstance("PKIX").getRevocationChecker();
        checker.setOptions(EnumSet.of(Option.PREFER_CRLS, Option.NO_FALLBACK, Option.ONLY_END_ENTITY));
        parameters.addCertPathChecker(checker);
        parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(lists)));
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
            throw new IllegalStateException("cannot create an empty keystore", e);
        }
    }
}
