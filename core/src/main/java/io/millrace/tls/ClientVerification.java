package io.millrace.tls;

/** Whether clients are asked for a certificate, and what comes of the answer. */
public enum ClientVerification {
    /** They are not asked. */
    NONE,
    /** They are asked; one without a certificate is let in, one with a certificate that does not verify is not. */
    OPTIONAL,
    /** They are asked; any certificate is let in, whoever signed it. The application must judge it. */
    OPTIONAL_NO_CA,
    /** They are asked; one without a certificate that verifies is not let in. */
    REQUIRED
}
