package io.millrace.tls;

/** The settings that a finding can refer to. */
public enum TlsSetting {
    /** The TLS implementation. */
    IMPLEMENTATION("sslImplementation"),
    /** The PEM file of a certificate. */
    CERTIFICATE_FILE("certificateFile"),
    /** The PEM file of a private key. */
    KEY_FILE("certificateKeyFile"),
    /** The PEM file of a certificate chain. */
    CHAIN_FILE("certificateChainFile"),
    /** The password of a private key. */
    KEY_PASSWORD("certificateKeyPassword"),
    /** The file of a keystore. */
    KEYSTORE_FILE("certificateKeystoreFile"),
    /** The password of a keystore. */
    KEYSTORE_PASSWORD("certificateKeystorePassword"),
    /** The type or provider of a keystore. */
    KEYSTORE_TYPE("certificateKeystoreType"),
    /** The alias of a keystore entry. */
    KEYSTORE_ALIAS("certificateKeyAlias"),
    /** The versions of TLS. */
    PROTOCOLS("protocols"),
    /** The cipher suites. */
    CIPHERS("ciphers"),
    /** Whether clients must present certificates. */
    CLIENT_VERIFICATION("certificateVerification"),
    /** The PEM file of the authorities for clients' certificates. */
    CA_FILE("caCertificateFile"),
    /** The keystore of those authorities. */
    TRUSTSTORE("truststoreFile"),
    /** The certificate revocation lists. */
    REVOCATION_FILE("certificateRevocationListFile"),
    /** The OCSP responses for stapling. */
    OCSP_RESPONSE_FILE("ocspResponseFile"),
    /** Whether session tickets are disabled. */
    SESSION_TICKETS("disableSessionTickets");

    private final String attribute;

    TlsSetting(String attribute) {
        this.attribute = attribute;
    }

    /** The attribute in server.xml. */
    public String attribute() {
        return attribute;
    }
}
