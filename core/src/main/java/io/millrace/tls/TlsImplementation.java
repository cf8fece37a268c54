package io.millrace.tls;

/** Whose TLS a connector speaks. */
public enum TlsImplementation {
    /** The JDK's. */
    JSSE,
    /** OpenSSL's: Java 22 or newer, the library of the system, and the module {@code millrace-openssl}. */
    OPENSSL,
    /** OpenSSL's where it can be had, else the JDK's. */
    AUTO
}
