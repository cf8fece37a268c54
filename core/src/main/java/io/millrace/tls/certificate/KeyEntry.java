package io.millrace.tls.certificate;

import java.security.GeneralSecurityException;
import java.security.KeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A private key and the chain of its certificate.
 *
 * @param chain the certificate of the key first; each following certificate is the issuer of the previous one
 */
public record KeyEntry(PrivateKey key, List<X509Certificate> chain) {

    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "DSA", "SHA256withDSA");

    /**
     * Selects the key's certificate and its chain from these certificates.
     *
     * @throws KeyException if none is the key's
     */
    public static KeyEntry of(PrivateKey key, List<X509Certificate> certificates) throws GeneralSecurityException {
        for (X509Certificate candidate : certificates) {
            if (matches(key, candidate.getPublicKey())) {
                return new KeyEntry(key, chain(candidate, certificates));
            }
        }
        throw new KeyException("the key does not belong to the certificate of "
                + certificates.get(0).getSubjectX500Principal());
    }

    /** The key's certificate. */
    public X509Certificate certificate() {
        return chain.get(0);
    }

    /** The key type, {@code RSA} or {@code EC} for example. */
    public String type() {
        return certificate().getPublicKey().getAlgorithm();
    }

    /** Follows the issuers as far as they are in the file; other certificates are not sent to clients. */
    private static List<X509Certificate> chain(X509Certificate first, List<X509Certificate> from) {
        List<X509Certificate> chain = new ArrayList<>();
        for (X509Certificate next = first; next != null; next = issuer(next, from, chain)) {
            chain.add(next);
        }
        return List.copyOf(chain);
    }

    private static @Nullable X509Certificate issuer(
            X509Certificate of, List<X509Certificate> from, List<X509Certificate> taken) {
        return from.stream()
                .filter(candidate -> candidate.getSubjectX500Principal().equals(of.getIssuerX500Principal()))
                .filter(candidate -> !taken.contains(candidate))
                .findFirst()
                .orElse(null);
    }

    /** Compares the moduli of RSA keys; other keys are tested with a signature. */
    private static boolean matches(PrivateKey privateKey, PublicKey publicKey) throws GeneralSecurityException {
        if (!family(privateKey.getAlgorithm()).equals(family(publicKey.getAlgorithm()))) {
            return false;
        }
        if (privateKey instanceof RSAKey ours && publicKey instanceof RSAKey theirs) {
            return ours.getModulus().equals(theirs.getModulus());
        }
        String name = SIGNATURES.getOrDefault(privateKey.getAlgorithm(), privateKey.getAlgorithm());
        byte[] message = {'m', 'i', 'l', 'l', 'r', 'a', 'c', 'e'};
        Signature signer = Signature.getInstance(name);
        signer.initSign(privateKey);
        signer.update(message);
        byte[] signature = signer.sign();
        Signature verifier = Signature.getInstance(name);
        verifier.initVerify(publicKey);
        verifier.update(message);
        return verifies(verifier, signature);
    }

    /** A signature of another key may also be reported as malformed. */
    private static boolean verifies(Signature verifier, byte[] signature) {
        try {
            return verifier.verify(signature);
        } catch (java.security.SignatureException e) {
            return false;
        }
    }

    /** The JDK names such keys EdDSA or by their curve. */
    private static String family(String algorithm) {
        return algorithm.startsWith("Ed") ? "EdDSA" : algorithm;
    }
}
