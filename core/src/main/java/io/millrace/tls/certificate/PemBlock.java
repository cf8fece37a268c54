package io.millrace.tls.certificate;

import java.util.Map;

/**
 * A block of a PEM file, from BEGIN to END (RFC 7468; RFC 1421 for the header fields of old encrypted keys).
 *
 * @param label such as {@code CERTIFICATE}
 * @param headers by name
 * @param line the line number of its BEGIN, from 1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PemBlock(String label, Map<String, String> headers, byte[] bytes, int line) {

    boolean isCertificate() {
        return label.equals("CERTIFICATE") || label.equals("X509 CERTIFICATE") || label.equals("TRUSTED CERTIFICATE");
    }

    boolean isKey() {
        return label.endsWith("PRIVATE KEY");
    }

    boolean isRevocationList() {
        return label.equals("X509 CRL");
    }
}
