package io.millrace.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Describes a {@link TlsHost}. What is not set has a default that is safe today. */
public final class TlsHostBuilder {

    final String name;
    final List<TlsCertificate> certificates = new ArrayList<>();
    final List<Path> ocspResponseFiles = new ArrayList<>();
    String protocols = "TLSv1.2+TLSv1.3";

    @Nullable
    String ciphers;

    boolean honorCipherOrder = true;
    ClientVerification clientVerification = ClientVerification.NONE;
    int verificationDepth = 10;

    @Nullable
    Path caFile;

    @Nullable
    Keystore truststore;

    @Nullable
    Path revocationFile;

    int sessionCacheSize = -1;
    Duration sessionTimeout = Duration.ofDays(1);
    boolean sessionTickets = true;

    TlsHostBuilder(String name) {
        this.name = HostPatterns.checked(name.toLowerCase(Locale.ROOT));
    }

    /** A certificate; may be called again, for one of another key type. */
    public TlsHostBuilder certificate(TlsCertificate value) {
        certificates.add(Objects.requireNonNull(value));
        return this;
    }

    /** A certificate with its chain, and its unencrypted key, from PEM files: what certbot makes, for one. */
    public TlsHostBuilder pem(Path certificateFile, Path keyFile) {
        return certificate(new TlsCertificate.Pem(certificateFile, keyFile, null, Password.NONE));
    }

    /** The first certificate with a key in a PKCS#12 or JKS file. */
    public TlsHostBuilder keystore(Path file, String password) {
        Keystore store = Keystore.of(file, Password.of(password));
        return certificate(new TlsCertificate.Stored(store, null, Password.NONE));
    }

    /** The versions offered: {@code TLSv1.2+TLSv1.3} otherwise; {@code all} means the same. */
    public TlsHostBuilder protocols(String value) {
        protocols = Objects.requireNonNull(value);
        return this;
    }

    /**
     * The cipher suites: an OpenSSL cipher list such as {@code HIGH:!aNULL:!kRSA}, or names of OpenSSL or IANA. Otherwise
     * those with forward secrecy and authenticated encryption.
     */
    public TlsHostBuilder ciphers(String value) {
        ciphers = Objects.requireNonNull(value);
        return this;
    }

    /** Whether the server's order of ciphers decides; true otherwise. */
    public TlsHostBuilder honorCipherOrder(boolean value) {
        honorCipherOrder = value;
        return this;
    }

    /** Whether clients are asked for a certificate; they are not otherwise. */
    public TlsHostBuilder clientVerification(ClientVerification value) {
        clientVerification = Objects.requireNonNull(value);
        return this;
    }

    /** How many certificates may stand between a client's and a trusted one; 10 otherwise. */
    public TlsHostBuilder verificationDepth(int value) {
        verificationDepth = value;
        return this;
    }

    /** A PEM file of the authorities that clients' certificates are verified by. */
    public TlsHostBuilder caFile(Path value) {
        caFile = Objects.requireNonNull(value);
        return this;
    }

    /** A keystore of those authorities, in place of a PEM file. */
    public TlsHostBuilder truststore(Keystore value) {
        truststore = Objects.requireNonNull(value);
        return this;
    }

    /** A file of certificate revocation lists, PEM or DER, that clients' certificates are looked up in. */
    public TlsHostBuilder revocationFile(Path value) {
        revocationFile = Objects.requireNonNull(value);
        return this;
    }

    /**
     * A DER file of what the OCSP responder of one of the certificates says of it, to be stapled to handshakes; may be called
     * again, for another certificate. OpenSSL does so; the JDK can only ask the responder by itself.
     */
    public TlsHostBuilder ocspResponseFile(Path value) {
        ocspResponseFiles.add(Objects.requireNonNull(value));
        return this;
    }

    /** Sessions remembered for resumption; 0: no limit; -1, as by default: what the engine thinks right. */
    public TlsHostBuilder sessionCacheSize(int value) {
        sessionCacheSize = value;
        return this;
    }

    /** How long a session can be resumed; a day otherwise. */
    public TlsHostBuilder sessionTimeout(Duration value) {
        sessionTimeout = Objects.requireNonNull(value);
        return this;
    }

    /** Whether sessions are handed to clients as tickets; true otherwise. JSSE has one switch for the whole JVM. */
    public TlsHostBuilder sessionTickets(boolean value) {
        sessionTickets = value;
        return this;
    }

    /**
     * The host.
     *
     * @throws IllegalArgumentException if it has no certificate
     */
    public TlsHost build() {
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("TLS for " + name + " has no certificate; name its certificate and key");
        }
        return new TlsHost(this);
    }
}
