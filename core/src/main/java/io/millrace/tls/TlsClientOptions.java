package io.millrace.tls;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What TLS is to be of a client. Strict by default: TLS 1.2 and 1.3, strong ciphers, a peer whose certificate is trusted and
 * for its host name. Immutable; the {@code with…} methods make changed copies.
 *
 * @param caFile PEM file of the authorities that servers' certificates are verified by; null for {@link #truststore}
 * @param truststore keystore of those authorities; null with a {@link #caFile}, or to trust those the JDK trusts
 * @param certificate our own, for servers that ask for one; null for none
 * @param protocols in Tomcat's notation: {@code TLSv1.2+TLSv1.3}
 * @param ciphers in OpenSSL's notation, IANA names among it; null for the strong ones
 * @param applicationProtocols offered by ALPN, the most wanted first; empty for no ALPN
 * @param implementation whose TLS it is
 * @param verifyHostName whether the peer's certificate must be for the host that was asked for (RFC 9525). Without it anybody
 *     who holds any trusted certificate can pose as the peer
 */
public record TlsClientOptions(
        @Nullable Path caFile,
        @Nullable Keystore truststore,
        @Nullable TlsCertificate certificate,
        String protocols,
        @Nullable String ciphers,
        List<String> applicationProtocols,
        TlsImplementation implementation,
        boolean verifyHostName) {

    /** The JDK's TLS; trusts the JDK's authorities; sends no certificate; offers no protocol. */
    public static final TlsClientOptions DEFAULT =
            new TlsClientOptions(null, null, null, "TLSv1.2+TLSv1.3", null, List.of(), TlsImplementation.JSSE, true);

    /** Copies the list. */
    public TlsClientOptions {
        applicationProtocols = List.copyOf(applicationProtocols);
        if (caFile != null && truststore != null) {
            throw new IllegalArgumentException("caFile and truststore are both set; expected one of them");
        }
    }

    /** The same, trusting the authorities of this PEM file alone. */
    public TlsClientOptions withCaFile(Path file) {
        return trusting(file, null);
    }

    /** The same, trusting the certificates of this keystore alone. */
    public TlsClientOptions withTruststore(Keystore store) {
        return trusting(null, store);
    }

    private TlsClientOptions trusting(@Nullable Path file, @Nullable Keystore store) {
        return new TlsClientOptions(
                file, store, certificate, protocols, ciphers, applicationProtocols, implementation, verifyHostName);
    }

    /** The same with a certificate of our own. */
    public TlsClientOptions withCertificate(TlsCertificate own) {
        return new TlsClientOptions(
                caFile, truststore, own, protocols, ciphers, applicationProtocols, implementation, verifyHostName);
    }

    /** The same with other versions of TLS. */
    public TlsClientOptions withProtocols(String value) {
        return new TlsClientOptions(
                caFile, truststore, certificate, value, ciphers, applicationProtocols, implementation, verifyHostName);
    }

    /** The same with other cipher suites: OpenSSL's notation, as that of servers. */
    public TlsClientOptions withCiphers(String value) {
        return new TlsClientOptions(
                caFile,
                truststore,
                certificate,
                protocols,
                value,
                applicationProtocols,
                implementation,
                verifyHostName);
    }

    /** The same with other protocols to offer. */
    public TlsClientOptions withApplicationProtocols(List<String> value) {
        return new TlsClientOptions(
                caFile, truststore, certificate, protocols, ciphers, value, implementation, verifyHostName);
    }

    /** The same by another implementation of TLS. */
    public TlsClientOptions withImplementation(TlsImplementation value) {
        return new TlsClientOptions(
                caFile, truststore, certificate, protocols, ciphers, applicationProtocols, value, verifyHostName);
    }

    /** The same, without verification of host names. For tests. */
    public TlsClientOptions withoutHostNameVerification() {
        return new TlsClientOptions(
                caFile, truststore, certificate, protocols, ciphers, applicationProtocols, implementation, false);
    }
}
