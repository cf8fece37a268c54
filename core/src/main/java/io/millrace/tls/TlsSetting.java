package io.millrace.tls;

/** What of a configuration a finding is about. */
public enum TlsSetting {
    /** Whose TLS it is. */
    IMPLEMENTATION,
    /** The PEM file of a certificate. */
    CERTIFICATE_FILE,
    /** The PEM file of a private key. */
    KEY_FILE,
    /** The PEM file of a chain. */
    CHAIN_FILE,
    /** The password of a key. */
    KEY_PASSWORD,
    /** The file of a keystore. */
    KEYSTORE_FILE,
    /** The password of a keystore. */
    KEYSTORE_PASSWORD,
    /** Type or provider of a keystore. */
    KEYSTORE_TYPE,
    /** The entry of a keystore. */
    KEYSTORE_ALIAS,
    /** The versions of TLS. */
    PROTOCOLS,
    /** The cipher suites. */
    CIPHERS,
    /** Whether clients show certificates. */
    CLIENT_VERIFICATION,
    /** The PEM file of the authorities of clients. */
    CA_FILE,
    /** The keystore of those authorities. */
    TRUSTSTORE,
    /** The revocation lists. */
    REVOCATION_FILE,
    /** The OCSP responses that are stapled. */
    OCSP_RESPONSE_FILE,
    /** Whether sessions are handed out as tickets. */
    SESSION_TICKETS
}
