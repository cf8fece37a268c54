package io.millrace.tls.jsse;

import java.security.cert.CertPathValidatorException;
import java.security.cert.Certificate;
import java.security.cert.PKIXCertPathChecker;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Limits the number of authorities between a certificate and a trusted one. The JDK's own limit applies only when it searches for
 * a path, not when it validates the one that a client has sent.
 */
final class PathLength extends PKIXCertPathChecker {

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
