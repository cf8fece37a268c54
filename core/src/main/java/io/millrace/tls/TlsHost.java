package io.millrace.tls;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.FILE;
import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The TLS configuration of one host name or wildcard: Tomcat's SSLHostConfig, with its names of settings and secure
 * defaults. Independent of the TLS implementation. Immutable; methods that add something return a changed copy.
 */
public final class TlsHost {

    /** The name of the host for all names that no other host matches. */
    public static final String ANY = "_default_";

    private static final SettingGroup GROUP = new SettingGroup();
    private static final SettingType<Integer> COUNT = number(-1, Integer.MAX_VALUE);
    private static final Duration DAY = Duration.ofDays(1);

    /**
     * The enabled versions in Tomcat's notation: {@code TLSv1.2+TLSv1.3}, {@code all,-TLSv1.2}; {@code all} means these
     * two.
     */
    public static final Setting<String> PROTOCOLS = GROUP.add("protocols", TEXT, "all");

    /**
     * The cipher suites: an OpenSSL cipher list such as {@code HIGH:!aNULL:!kRSA}, or OpenSSL or IANA names. Default:
     * suites that are considered strong.
     */
    public static final Setting<String> CIPHERS = GROUP.optional("ciphers", TEXT);

    /** Whether the server's order of cipher suites takes precedence over the client's. */
    public static final Setting<Boolean> HONOR_CIPHER_ORDER = GROUP.add("honorCipherOrder", BOOLEAN, true);

    /** Whether clients' certificates are requested. */
    public static final Setting<ClientVerification> CERTIFICATE_VERIFICATION =
            GROUP.add("certificateVerification", ClientVerification.TYPE, ClientVerification.NONE, "none");

    /** The maximum number of intermediate certificates between a client's certificate and a trusted one. */
    public static final Setting<Integer> CERTIFICATE_VERIFICATION_DEPTH =
            GROUP.add("certificateVerificationDepth", COUNT, 10);

    /**
     * A PEM file with the authorities that issue clients' certificates. If it is not set, those in {@link #TRUSTSTORE}
     * are used.
     */
    public static final Setting<Path> CA_CERTIFICATE_FILE = GROUP.optional("caCertificateFile", FILE);

    /** A keystore of those authorities. If neither is set, the JDK's authorities are trusted. */
    public static final Setting<Keystore> TRUSTSTORE = GROUP.optional("truststoreFile", Keystore.TYPE);

    /** A file of certificate revocation lists (PEM or DER) for clients' certificates. */
    public static final Setting<Path> CERTIFICATE_REVOCATION_LIST_FILE =
            GROUP.optional("certificateRevocationListFile", FILE);

    /** The maximum number of sessions cached for resumption; 0 for no limit, -1 for the engine's default. */
    public static final Setting<Integer> SESSION_CACHE_SIZE = GROUP.add("sessionCacheSize", COUNT, -1);

    /** How long a session can be resumed; in server.xml in seconds, where a negative number means a day. */
    public static final Setting<Duration> SESSION_TIMEOUT = GROUP.add(
            "sessionTimeout",
            MILLISECONDS.readFrom(COUNT, seconds -> seconds < 0 ? DAY : Duration.ofSeconds(seconds)),
            DAY,
            String.valueOf(DAY.toSeconds()));

    /** Whether session tickets are disabled. Supported by OpenSSL; JSSE has only one switch for the whole JVM. */
    public static final Setting<Boolean> DISABLE_SESSION_TICKETS = GROUP.add("disableSessionTickets", BOOLEAN, false);

    private final String name;
    private final List<TlsCertificate> certificates;
    private final List<Path> ocspResponseFiles;
    private final Settings settings;
    private final @Nullable KeyStore truststore;

    private TlsHost(
            String name,
            List<TlsCertificate> certificates,
            List<Path> ocspResponseFiles,
            Settings settings,
            @Nullable KeyStore truststore) {
        this.name = name;
        this.certificates = certificates;
        this.ocspResponseFiles = ocspResponseFiles;
        this.settings = settings;
        this.truststore = truststore;
    }

    /** The host for all names that no other host matches. It needs a certificate. */
    public static TlsHost any() {
        return named(ANY);
    }

    /**
     * A host of this name. It needs a certificate.
     *
     * @param name as sent by clients (punycode), or {@code *.example.com} for all names with exactly one more label
     */
    public static TlsHost named(String name) {
        String checked = HostPatterns.checked(name.toLowerCase(Locale.ROOT));
        return new TlsHost(checked, List.of(), List.of(), Settings.DEFAULTS, null);
    }

    /** The settings of a host. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** Adds a certificate. Certificates of different key types support clients that support only one of them. */
    public TlsHost certificate(TlsCertificate value) {
        return new TlsHost(name, and(certificates, value), ocspResponseFiles, settings, truststore);
    }

    /** Adds a certificate with its chain and its unencrypted key from PEM files, as created by certbot. */
    public TlsHost pem(Path certificateFile, Path keyFile) {
        return certificate(new TlsCertificate.Pem(certificateFile, keyFile, null, Password.NONE));
    }

    /** Adds the first certificate with a key in a PKCS#12 or JKS file. */
    public TlsHost keystore(Path file, String password) {
        Keystore store = Keystore.of(file, Password.of(password));
        return certificate(new TlsCertificate.Stored(store, null, Password.NONE));
    }

    /**
     * Adds the first certificate with a key in a keystore that the program has loaded.
     *
     * @param keyPassword of the key
     */
    public TlsHost keystore(KeyStore store, String keyPassword) {
        return certificate(new TlsCertificate.Loaded(store, null, Password.of(keyPassword)));
    }

    /**
     * Sets a keystore, loaded by the program, of the authorities that issue clients' certificates, instead of those in {@link
     * #CA_CERTIFICATE_FILE} or {@link #TRUSTSTORE}.
     */
    public TlsHost truststore(KeyStore store) {
        return new TlsHost(name, certificates, ocspResponseFiles, settings, store);
    }

    /**
     * Adds a DER file with the OCSP response for one of the certificates, which is stapled in handshakes. Supported by
     * OpenSSL; JSSE can only request responses itself.
     */
    public TlsHost ocspResponseFile(Path value) {
        return new TlsHost(name, certificates, and(ocspResponseFiles, value), settings, truststore);
    }

    /**
     * The same host with another value of a setting declared here.
     *
     * @throws IllegalArgumentException if the setting is declared elsewhere, or the value is outside its limits
     */
    public <T> TlsHost with(Setting<T> setting, T value) {
        return with(settings.with(all(), setting, value));
    }

    /** The same host with these settings, where they are set. */
    public TlsHost with(Settings value) {
        return new TlsHost(name, certificates, ocspResponseFiles, settings.overriddenBy(value), truststore);
    }

    /** The name in lower case. */
    public String name() {
        return name;
    }

    /** The certificates in the order in which they were added. */
    public List<TlsCertificate> certificates() {
        return certificates;
    }

    /** The OCSP response files that were added; empty for no stapling. */
    public List<Path> ocspResponseFiles() {
        return ocspResponseFiles;
    }

    /** The keystore of authorities that the program has loaded; null if there is none. */
    public @Nullable KeyStore truststore() {
        return truststore;
    }

    /** The value of a setting, or its default. */
    public <T> T get(Setting<T> setting) {
        return settings.get(setting);
    }

    /** The value of a setting without a default; null if it is not set. */
    public <T> @Nullable T find(Setting<T> setting) {
        return settings.find(setting);
    }

    private static <T> List<T> and(List<T> some, T other) {
        return Stream.concat(some.stream(), Stream.of(other)).toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
