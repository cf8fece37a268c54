package io.millrace.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What TLS is to be for one host name, or for all of one wildcard: Tomcat's SSLHostConfig. Values as configured, for any
 * engine to translate. Immutable.
 */
public final class TlsHost {

    /** The name of a host that stands for every name no other host has. */
    public static final String ANY = "_default_";

    private final String name;
    private final List<TlsCertificate> certificates;
    private final List<Path> ocspResponseFiles;
    private final String protocols;
    private final @Nullable String ciphers;
    private final boolean honorCipherOrder;
    private final ClientVerification clientVerification;
    private final int verificationDepth;
    private final @Nullable Path caFile;
    private final @Nullable Keystore truststore;
    private final @Nullable Path revocationFile;
    private final int sessionCacheSize;
    private final Duration sessionTimeout;
    private final boolean sessionTickets;

    TlsHost(TlsHostBuilder from) {
        name = from.name;
        certificates = List.copyOf(from.certificates);
        ocspResponseFiles = List.copyOf(from.ocspResponseFiles);
        protocols = from.protocols;
        ciphers = from.ciphers;
        honorCipherOrder = from.honorCipherOrder;
        clientVerification = from.clientVerification;
        verificationDepth = from.verificationDepth;
        caFile = from.caFile;
        truststore = from.truststore;
        revocationFile = from.revocationFile;
        sessionCacheSize = from.sessionCacheSize;
        sessionTimeout = from.sessionTimeout;
        sessionTickets = from.sessionTickets;
    }

    /** A host that stands for every name no other host has. */
    public static TlsHostBuilder any() {
        return named(ANY);
    }

    /**
     * A host of this name.
     *
     * @param name as clients send it (punycode), or {@code *.example.com} for all names with one label more
     */
    public static TlsHostBuilder named(String name) {
        return new TlsHostBuilder(Objects.requireNonNull(name));
    }

    /** In lower case. */
    public String name() {
        return name;
    }

    /** At least one; several of different key types serve clients that know only one of them. */
    public List<TlsCertificate> certificates() {
        return certificates;
    }

    /** In Tomcat's notation: {@code TLSv1.2+TLSv1.3}, {@code all,-TLSv1}. */
    public String protocols() {
        return protocols;
    }

    /** An OpenSSL cipher list, or names of OpenSSL or IANA; null for those that are strong today. */
    public @Nullable String ciphers() {
        return ciphers;
    }

    /** True if the server's order of ciphers decides, false if the client's does. */
    public boolean honorCipherOrder() {
        return honorCipherOrder;
    }

    /** Whether clients are asked for a certificate. */
    public ClientVerification clientVerification() {
        return clientVerification;
    }

    /** How many certificates may stand between a client's and a trusted one. */
    public int verificationDepth() {
        return verificationDepth;
    }

    /** PEM file of the authorities that clients' certificates are verified by; null if {@link #truststore} has them. */
    public @Nullable Path caFile() {
        return caFile;
    }

    /** Keystore of those authorities; null with a {@link #caFile}, or to trust those the JDK trusts. */
    public @Nullable Keystore truststore() {
        return truststore;
    }

    /** Certificate revocation lists (PEM or DER) that clients' certificates are looked up in; null for none. */
    public @Nullable Path revocationFile() {
        return revocationFile;
    }

    /** OCSP responses (DER) that are stapled, each for one of the certificates; none means no stapling. */
    public List<Path> ocspResponseFiles() {
        return ocspResponseFiles;
    }

    /** Sessions remembered for resumption; 0: no limit; -1: what the engine thinks right. */
    public int sessionCacheSize() {
        return sessionCacheSize;
    }

    /** How long a session can be resumed. */
    public Duration sessionTimeout() {
        return sessionTimeout;
    }

    /** Whether sessions are also handed to clients as tickets, where the engine can decide that per host. */
    public boolean sessionTickets() {
        return sessionTickets;
    }

    @Override
    public String toString() {
        return name;
    }
}
