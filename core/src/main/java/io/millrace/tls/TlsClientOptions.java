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
 * @param applicationProtocols offered by ALPN, the most wanted first; empty for no ALPN
 * @param verifyHostName whether the peer's certificate must be for the host that was asked for (RFC 6125). Without it anybody
 *     who holds any trusted certificate can pose as the peer
 */
public record TlsClientOptions(
        @Nullable Path caFile,
        @Nullable Keystore truststore,
        @Nullable TlsCertificate certificate,
        String protocols,
        List<String> applicationProtocols,
        boolean verifyHostName) {

    /** Trusts the JDK's authorities; sends no certificate; offers no protocol. */
    public static final TlsClientOptions DEFAULT =
            new TlsClientOptions(null, null, null, "TLSv1.2+TLSv1.3", List.of(), true);

    /** Copies the list. */
    public TlsClientOptions {
        applicationProtocols = List.copyOf(applicationProtocols);
        if (caFile != null && truststore != null) {
            throw new IllegalArgumentException("caFile and truststore are both set; expected one of them");
        }
    }

    /** The same, trusting the authorities of this PEM file alone. */
    public TlsClientOptions withCaFile(Path file) {
        return new TlsClientOptions(file, null, certificate, protocols, applicationProtocols, verifyHostName);
    }

    /** The same, trusting the certificates of this keystore alone. */
    public TlsClientOptions withTruststore(Keystore store) {
        return new TlsClientOptions(null, store, certificate, protocols, applicationProtocols, verifyHostName);
    }

    /** The same with a certificate of our own. */
    public TlsClientOptions withCertificate(TlsCertificate own) {
        return new TlsClientOptions(caFile, truststore, own, protocols, applicationProtocols, verifyHostName);
    }

    /** The same with other versions of TLS. */
    public TlsClientOptions withProtocols(String value) {
        return new TlsClientOptions(caFile, truststore, certificate, value, applicationProtocols, verifyHostName);
    }

    /** The same with other protocols to offer. */
    public TlsClientOptions withApplicationProtocols(List<String> value) {
        return new TlsClientOptions(caFile, truststore, certificate, protocols, value, verifyHostName);
    }

    /** The same, without verification of host names. For tests. */
    public TlsClientOptions withoutHostNameVerification() {
        return new TlsClientOptions(caFile, truststore, certificate, protocols, applicationProtocols, false);
    }
}
