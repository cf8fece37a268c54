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
 * @param chain begins with the certificate of the key; each next one signed the one before
 */
public record KeyEntry(PrivateKey key, List<X509Certificate> chain) {

    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "DSA", "SHA256withDSA");

    /**
     * Finds the key's own certificate among these and the chain from there.
     *
     * @throws KeyException if no certificate is the key's
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

    /** The key's own certificate. */
    public X509Certificate certificate() {
        return chain.get(0);
    }

    /** {@code RSA} or {@code EC}, for instance. */
    public String type() {
        return certificate().getPublicKey().getAlgorithm();
    }

    /** Follows the issuers as far as they are here; what else is in the file is not sent to clients. */
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

    /** RSA keys show that they belong together; of others, what one signs the other verifies. */
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

    /** A signature of another key may be malformed in the eyes of this one, which is a no as well. */
    private static boolean verifies(Signature verifier, byte[] signature) {
        try {
            return verifier.verify(signature);
        } catch (java.security.SignatureException e) {
            return false;
        }
    }

    /** The JDK calls one kind of key EdDSA or by its curve. */
    private static String family(String algorithm) {
        return algorithm.startsWith("Ed") ? "EdDSA" : algorithm;
    }
}
