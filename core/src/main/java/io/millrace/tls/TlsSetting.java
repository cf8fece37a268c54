package io.millrace.tls;

/** What of a configuration a finding is about. */
public enum TlsSetting {
    /** Whose TLS it is. */
    IMPLEMENTATION("sslImplementation"),
    /** The PEM file of a certificate. */
    CERTIFICATE_FILE("certificateFile"),
    /** The PEM file of a private key. */
    KEY_FILE("certificateKeyFile"),
    /** The PEM file of a chain. */
    CHAIN_FILE("certificateChainFile"),
    /** The password of a key. */
    KEY_PASSWORD("certificateKeyPassword"),
    /** The file of a keystore. */
    KEYSTORE_FILE("certificateKeystoreFile"),
    /** The password of a keystore. */
    KEYSTORE_PASSWORD("certificateKeystorePassword"),
    /** Type or provider of a keystore. */
    KEYSTORE_TYPE("certificateKeystoreType"),
    /** The entry of a keystore. */
    KEYSTORE_ALIAS("certificateKeyAlias"),
    /** The versions of TLS. */
    PROTOCOLS("protocols"),
    /** The cipher suites. */
    CIPHERS("ciphers"),
    /** Whether clients show certificates. */
    CLIENT_VERIFICATION("certificateVerification"),
    /** The PEM file of the authorities of clients. */
    CA_FILE("caCertificateFile"),
    /** The keystore of those authorities. */
    TRUSTSTORE("truststoreFile"),
    /** The revocation lists. */
    REVOCATION_FILE("certificateRevocationListFile"),
    /** The OCSP responses that are stapled. */
    OCSP_RESPONSE_FILE("ocspResponseFile"),
    /** Whether sessions are handed out as tickets. */
    SESSION_TICKETS("disableSessionTickets");

    private final String attribute;

    TlsSetting(String attribute) {
        this.attribute = attribute;
    }

    /** The attribute of server.xml that says it. */
    public String attribute() {
        return attribute;
    }
}
