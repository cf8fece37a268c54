package io.millrace.tls;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a host, as passed to a TLS implementation: with files read and expressions parsed.
 *
 * @param host the configured host
 * @param keys one for each key type, in order of preference
 * @param versions newest first, {@code TLSv1.3} for example
 * @param cipherSuites IANA names in order of preference
 * @param authorities the trusted certificates for clients; null for those of the JDK
 * @param revocationLists against which clients' certificates are checked; null for no check
 * @param ocspResponses to be stapled, each for one of the keys' certificates
 * @param applicationProtocols offered by ALPN, in order of preference; empty for no ALPN
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
     * The OCSP response for a certificate (RFC 6960).
     *
     * @param der an OCSPResponse that has not been parsed; read-only, and its position must not be changed
     * @param source the file from which it was read
     */
    public record OcspResponse(ByteBuffer der, Path source) {}

    /**
     * A private key and its certificates.
     *
     * @param chain the certificate of the key first; each following certificate is the issuer of the previous one
     * @param source from which it was read
     */
    public record Key(PrivateKey key, List<X509Certificate> chain, TlsCertificate source) {

        /** The key type, {@code RSA} or {@code EC} for example. */
        public String type() {
            return chain.get(0).getPublicKey().getAlgorithm();
        }
    }
}
