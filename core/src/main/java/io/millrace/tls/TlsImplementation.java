package io.millrace.tls;

/** The TLS implementation of a connector. */
public enum TlsImplementation {
    /** The JDK's (JSSE). */
    JSSE,
    /** OpenSSL: requires Java 22 or later, the system's library, and the module {@code millrace-openssl}. */
    OPENSSL,
    /** OpenSSL if it is available, otherwise the JDK's. */
    AUTO
}
