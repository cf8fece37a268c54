package io.millrace.tls.jsse;

import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.TlsSettings;
import io.millrace.tls.certificate.TrustedAuthorities;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathChecker;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.X509CRL;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

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
        PKIXBuilderParameters parameters =
                new PKIXBuilderParameters(TrustedAuthorities.store(authorities), new X509CertSelector());
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

    /** Accepts any client certificate ({@code optionalNoCA}), which the application must verify; no server's. */
    private static final class AnyClient extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {
            // the handshake proves possession of the key; the identity is not verified here
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
            checkClientTrusted(chain, authType);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
            checkClientTrusted(chain, authType);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            throw new UnsupportedOperationException("this trust manager verifies clients only");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
            checkServerTrusted(chain, authType);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
            checkServerTrusted(chain, authType);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /**
     * Limits the number of authorities between a certificate and a trusted one. The JDK's own limit applies only when it searches for
     * a path, not when it validates the one that a client has sent.
     */
    private static final class PathLength extends PKIXCertPathChecker {

        private final int most;
        private int seen;

        PathLength(int most) {
            this.most = most;
        }

        /** From the trusted certificate down, the only direction that all checkers must support. */
        @Override
        public void init(boolean forward) throws CertPathValidatorException {
            if (forward) {
                throw new CertPathValidatorException("forward checking is not supported");
            }
            seen = 0;
        }

        @Override
        public boolean isForwardCheckingSupported() {
            return false;
        }

        @Override
        public @Nullable Set<String> getSupportedExtensions() {
            return null;
        }

        @Override
        public void check(Certificate certificate, Collection<String> unresolved) throws CertPathValidatorException {
            boolean isAuthority = ((X509Certificate) certificate).getBasicConstraints() >= 0;
            if (isAuthority && ++seen > most) {
                throw new CertPathValidatorException(
                        "more than " + most + " authorities between the certificate and a trusted one");
            }
        }
    }
}
