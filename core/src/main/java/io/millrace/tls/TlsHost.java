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
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What TLS is to be for one host name, or for all of one wildcard: Tomcat's SSLHostConfig, with its names of settings and
 * defaults that are safe today. Values as configured, for any engine to translate. Immutable; the methods that add
 * something return a changed copy.
 */
public final class TlsHost {

    /** The name of a host that stands for every name no other host has. */
    public static final String ANY = "_default_";

    private static final SettingGroup GROUP = new SettingGroup();
    private static final SettingType<Integer> COUNT = number(-1, Integer.MAX_VALUE);
    private static final Duration DAY = Duration.ofDays(1);

    /** The versions offered, in Tomcat's notation: {@code TLSv1.2+TLSv1.3}, {@code all,-TLSv1.2}; {@code all} is these two. */
    public static final Setting<String> PROTOCOLS = GROUP.add("protocols", TEXT, "all");

    /** An OpenSSL cipher list such as {@code HIGH:!aNULL:!kRSA}, or names of OpenSSL or IANA; otherwise those that are strong today. */
    public static final Setting<String> CIPHERS = GROUP.optional("ciphers", TEXT);

    /** Whether the server's order of ciphers decides, or the client's. */
    public static final Setting<Boolean> HONOR_CIPHER_ORDER = GROUP.add("honorCipherOrder", BOOLEAN, true);

    /** Whether clients are asked for a certificate. */
    public static final Setting<ClientVerification> CERTIFICATE_VERIFICATION =
            GROUP.add("certificateVerification", ClientVerification.TYPE, ClientVerification.NONE, "none");

    /** How many certificates may stand between a client's and a trusted one. */
    public static final Setting<Integer> CERTIFICATE_VERIFICATION_DEPTH =
            GROUP.add("certificateVerificationDepth", COUNT, 10);

    /** A PEM file of the authorities that clients' certificates are verified by; otherwise the {@link #TRUSTSTORE} has them. */
    public static final Setting<Path> CA_CERTIFICATE_FILE = GROUP.optional("caCertificateFile", FILE);

    /** A keystore of those authorities. With neither, those are trusted that the JDK trusts. */
    public static final Setting<Keystore> TRUSTSTORE = GROUP.optional("truststoreFile", Keystore.TYPE);

    /** Certificate revocation lists (PEM or DER) that clients' certificates are looked up in. */
    public static final Setting<Path> CERTIFICATE_REVOCATION_LIST_FILE =
            GROUP.optional("certificateRevocationListFile", FILE);

    /** Sessions remembered for resumption; 0: no limit; -1: what the engine thinks right. */
    public static final Setting<Integer> SESSION_CACHE_SIZE = GROUP.add("sessionCacheSize", COUNT, -1);

    /** How long a session can be resumed; in server.xml in seconds, and a negative number is a day. */
    public static final Setting<Duration> SESSION_TIMEOUT = GROUP.add(
            "sessionTimeout",
            MILLISECONDS.readFrom(COUNT, seconds -> seconds < 0 ? DAY : Duration.ofSeconds(seconds)),
            DAY,
            String.valueOf(DAY.toSeconds()));

    /** Whether sessions are not handed to clients as tickets. OpenSSL heeds it; JSSE has one switch for the whole JVM. */
    public static final Setting<Boolean> DISABLE_SESSION_TICKETS = GROUP.add("disableSessionTickets", BOOLEAN, false);

    private final String name;
    private final List<TlsCertificate> certificates;
    private final List<Path> ocspResponseFiles;
    private final Settings settings;

    private TlsHost(String name, List<TlsCertificate> certificates, List<Path> ocspResponseFiles, Settings settings) {
        this.name = name;
        this.certificates = certificates;
        this.ocspResponseFiles = ocspResponseFiles;
        this.settings = settings;
    }

    /** A host that stands for every name no other host has. It needs a certificate. */
    public static TlsHost any() {
        return named(ANY);
    }

    /**
     * A host of this name. It needs a certificate.
     *
     * @param name as clients send it (punycode), or {@code *.example.com} for all names with one label more
     */
    public static TlsHost named(String name) {
        String checked = HostPatterns.checked(name.toLowerCase(Locale.ROOT));
        return new TlsHost(checked, List.of(), List.of(), Settings.DEFAULTS);
    }

    /** The settings of a host. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** With one more certificate; several of different key types serve clients that know only one of them. */
    public TlsHost certificate(TlsCertificate value) {
        return new TlsHost(name, and(certificates, value), ocspResponseFiles, settings);
    }

    /** With a certificate with its chain, and its unencrypted key, from PEM files: what certbot makes, for one. */
    public TlsHost pem(Path certificateFile, Path keyFile) {
        return certificate(new TlsCertificate.Pem(certificateFile, keyFile, null, Password.NONE));
    }

    /** With the first certificate with a key in a PKCS#12 or JKS file. */
    public TlsHost keystore(Path file, String password) {
        Keystore store = Keystore.of(file, Password.of(password));
        return certificate(new TlsCertificate.Stored(store, null, Password.NONE));
    }

    /**
     * With one more DER file of what the OCSP responder of one of the certificates says of it, to be stapled to handshakes.
     * OpenSSL does so; the JDK can only ask the responder by itself.
     */
    public TlsHost ocspResponseFile(Path value) {
        return new TlsHost(name, certificates, and(ocspResponseFiles, value), settings);
    }

    /**
     * With another value of one of the settings declared here.
     *
     * @throws IllegalArgumentException if the value is beyond the setting's limits
     */
    public <T> TlsHost with(Setting<T> setting, T value) {
        return with(settings.with(setting, value));
    }

    /** With these settings, where they are set. */
    public TlsHost with(Settings value) {
        return new TlsHost(name, certificates, ocspResponseFiles, settings.overriddenBy(value));
    }

    /** In lower case. */
    public String name() {
        return name;
    }

    /** Those that were added, in their order. */
    public List<TlsCertificate> certificates() {
        return certificates;
    }

    /** Those that were added; none means no stapling. */
    public List<Path> ocspResponseFiles() {
        return ocspResponseFiles;
    }

    /** The value of a setting, or its default. */
    public <T> T get(Setting<T> setting) {
        return settings.get(setting);
    }

    /** The value of a setting that has no default; null if it is not set. */
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
