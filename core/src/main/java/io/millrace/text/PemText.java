package io.millrace.text;

import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.util.Base64;

/**
 * Writes PEM (RFC 7468, 2 and 3): lines of 64 digits that end with line feeds, as OpenSSL writes it. Readers are in {@code
 * tls.certificate}.
 */
public final class PemText {

    private static final int LINE_LENGTH = 64;
    private static final Base64.Encoder ENCODER = Base64.getMimeEncoder(LINE_LENGTH, new byte[] {'\n'});

    private PemText() {}

    /**
     * A certificate.
     *
     * @throws CertificateEncodingException if it has no encoded form
     */
    public static String of(Certificate certificate) throws CertificateEncodingException {
        return of("CERTIFICATE", certificate.getEncoded());
    }

    /**
     * A block.
     *
     * @param label {@code CERTIFICATE} or {@code PRIVATE KEY}, for example
     * @param der the content
     */
    public static String of(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n" + ENCODER.encodeToString(der) + "\n-----END " + label + "-----\n";
    }
}
