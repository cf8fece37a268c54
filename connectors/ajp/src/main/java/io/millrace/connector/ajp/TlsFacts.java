package io.millrace.connector.ajp;

import io.millrace.io.CipherStrength;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndNotes;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.util.Base64;
import java.util.HexFormat;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a client's TLS session that are sent to the server. TLS is terminated here or by a trusted front end.
 *
 * @param keySize in bits; 0 if unknown
 * @param certificates the client's chain in PEM, its own first; null if it sent none
 */
record TlsFacts(
        @Nullable String version,
        @Nullable String cipherSuite,
        @Nullable String sessionId,
        int keySize,
        @Nullable String certificates) {

    private static final int LINE = 64;

    /** Null if the client's connection does not use TLS. */
    static @Nullable TlsFacts of(ConnectionInfo client) {
        SSLSession session = client.tlsSession();
        FrontEnd frontEnd = client.frontEnd();
        if (session != null) {
            byte[] id = session.getId();
            return new TlsFacts(
                    session.getProtocol(),
                    session.getCipherSuite(),
                    id.length == 0 ? null : HexFormat.of().formatHex(id),
                    keySize(session.getCipherSuite()),
                    certificates(session));
        }
        return frontEnd == null || !frontEnd.secure() ? null : of(frontEnd);
    }

    private static TlsFacts of(FrontEnd frontEnd) {
        FrontEndNotes notes = frontEnd.notes();
        String suite = frontEnd.cipherSuite();
        return new TlsFacts(
                frontEnd.tlsVersion(),
                suite,
                notes.tlsSessionId(),
                notes.keySize() > 0 ? notes.keySize() : keySize(suite),
                notes.certificates());
    }

    private static int keySize(@Nullable String suite) {
        Integer bits = suite == null ? null : CipherStrength.bits(suite);
        return bits == null ? 0 : bits;
    }

    private static @Nullable String certificates(SSLSession session) {
        try {
            Base64.Encoder encoder = Base64.getMimeEncoder(LINE, "\n".getBytes(StandardCharsets.ISO_8859_1));
            StringBuilder chain = new StringBuilder();
            for (Certificate each : session.getPeerCertificates()) {
                chain.append("-----BEGIN CERTIFICATE-----\n")
                        .append(encoder.encodeToString(each.getEncoded()))
                        .append("\n-----END CERTIFICATE-----\n");
            }
            return chain.toString();
        } catch (SSLPeerUnverifiedException | CertificateEncodingException none) {
            return null;
        }
    }
}
