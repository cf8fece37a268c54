package io.millrace.tls;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A host as an implementation of TLS needs it: its files read, its expressions understood.
 *
 * @param host what was configured
 * @param keys one for each type of key, the most wanted first
 * @param versions newest first: {@code TLSv1.3}
 * @param cipherSuites IANA names, the most wanted first
 * @param authorities whose certificates clients may show; null for those that the JDK trusts
 * @param revocationLists that clients' certificates are checked against; null for no check
 * @param ocspResponses to be stapled, each to one of the keys' certificates
 * @param applicationProtocols offered by ALPN, the most wanted first; empty for no ALPN
 */
public record TlsSettings(
        TlsHost host,
        List<Key> keys,
        List<String> versions,
        List<String> cipherSuites,
        @Nullable List<X509Certificate> authorities,
        @Nullable List<X509CRL> revocationLists,
        List<OcspResponse> ocspResponses,
        List<String> applicationProtocols) {

    /**
     * What a responder said of a certificate (RFC 6960).
     *
     * @param der an OCSPResponse, not looked into yet; read-only, and its position stays
     * @param source where it was read
     */
    public record OcspResponse(ByteBuffer der, Path source) {}

    /**
     * A private key and its certificates.
     *
     * @param chain begins with the certificate of the key; each next one signed the one before
     * @param source where it was read
     */
    public record Key(PrivateKey key, List<X509Certificate> chain, TlsCertificate source) {

        /** The type of the key: {@code RSA} or {@code EC}, for instance. */
        public String type() {
            return chain.get(0).getPublicKey().getAlgorithm();
        }
    }
}
