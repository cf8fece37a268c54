package io.millrace.tls;

/** Whether clients are asked for a certificate, and what comes of the answer. */
public enum ClientVerification {
    /** They are not asked. */
    NONE,
    /** They are asked; one without a certificate is let in, one with a certificate that does not verify is not. */
    OPTIONAL,
    /** A certificate is requested; any is accepted, whoever signed it. The application must verify it. */
    OPTIONAL_NO_CA,
    /** They are asked; one without a certificate that verifies is not let in. */
    REQUIRED
}
