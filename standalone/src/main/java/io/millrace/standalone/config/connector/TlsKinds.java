package io.millrace.standalone.config.connector;

import static io.millrace.settings.SettingType.FILE;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.oneOf;
import static io.millrace.settings.SettingType.word;
import static io.millrace.tls.TlsImplementation.JSSE;
import static io.millrace.tls.TlsImplementation.OPENSSL;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tomcat 9's TLS: SSLHostConfig, Certificate, and the deprecated attributes on Connector, which set the same settings. */
public final class TlsKinds {

    /** Tomcat's classes; the two for OpenSSL call it in different ways. */
    private static final Map<String, TlsImplementation> IMPLEMENTATIONS = Map.of(
            "org.apache.tomcat.util.net.jsse.JSSEImplementation", JSSE,
            "org.apache.tomcat.util.net.openssl.OpenSSLImplementation", OPENSSL,
            "org.apache.tomcat.util.net.openssl.panama.OpenSSLImplementation", OPENSSL);

    private static final SettingType<String> IMPLEMENTATION_CLASS =
            oneOf(IMPLEMENTATIONS.keySet().stream().sorted().toArray(String[]::new));

    /** Attributes that restrict access in Tomcat and have no effect here are errors. */
    private static final SettingType<String> LEFT_OUT = SettingType.text(
            "it to be left out, because it would not restrict access here; name one PEM file in caCertificateFile, or a"
                    + " truststoreFile, and one in certificateRevocationListFile",
            value -> false);

    private static final SettingType<String> NO_REVOCATION = SettingType.text(
            "false, because revocation lists are not fetched and OCSP is not used; name a PEM file in"
                    + " certificateRevocationListFile",
            "false"::equalsIgnoreCase);

    private static final SettingType<String> KEY_TYPE = word("RSA", "EC", "DSA", "UNDEFINED");

    private static final SettingGroup HOST = new SettingGroup();
    static final Setting<String> HOST_NAME = HOST.add("hostName", TEXT, TlsHost.ANY);
    static final Setting<String> TRUSTSTORE_PASSWORD = HOST.optional("truststorePassword", TEXT);
    static final Setting<String> TRUSTSTORE_TYPE = HOST.optional("truststoreType", TEXT);
    static final Setting<String> TRUSTSTORE_PROVIDER = HOST.optional("truststoreProvider", TEXT);

    private static final SettingGroup OF_CERTIFICATE = new SettingGroup();

    /** A PEM file. */
    public static final Setting<Path> FILE_OF_CERTIFICATE = OF_CERTIFICATE.optional("certificateFile", FILE);

    /** The PEM file of the certificate's key. */
    public static final Setting<Path> KEY_FILE = OF_CERTIFICATE.optional("certificateKeyFile", FILE);

    static final Setting<Path> CHAIN_FILE = OF_CERTIFICATE.optional("certificateChainFile", FILE);

    /** The password of the certificate's key. */
    public static final Setting<String> KEY_PASSWORD = OF_CERTIFICATE.optional("certificateKeyPassword", TEXT);

    static final Setting<Path> KEY_PASSWORD_FILE = OF_CERTIFICATE.optional("certificateKeyPasswordFile", FILE);
    static final Setting<Path> KEYSTORE_FILE = OF_CERTIFICATE.optional("certificateKeystoreFile", FILE);
    static final Setting<String> KEYSTORE_PASSWORD =
            OF_CERTIFICATE.add("certificateKeystorePassword", TEXT, "changeit");
    static final Setting<Path> KEYSTORE_PASSWORD_FILE =
            OF_CERTIFICATE.optional("certificateKeystorePasswordFile", FILE);
    static final Setting<String> KEYSTORE_TYPE = OF_CERTIFICATE.optional("certificateKeystoreType", TEXT);
    static final Setting<String> KEYSTORE_PROVIDER = OF_CERTIFICATE.optional("certificateKeystoreProvider", TEXT);
    static final Setting<String> KEY_ALIAS = OF_CERTIFICATE.optional("certificateKeyAlias", TEXT);
    static final Setting<Path> OCSP_RESPONSE_FILE = OF_CERTIFICATE.optional("ocspResponseFile", FILE);

    private static final Element.Kind SSL_HOST_CONFIG = new Element.Kind(
            "SSLHostConfig",
            Attribute.all(
                    Attribute.of(HOST.settings()),
                    Attribute.of(TlsHost.all()),
                    List.of(
                            Attribute.sets("caCertificatePath", LEFT_OUT, null, null),
                            Attribute.sets("certificateRevocationListPath", LEFT_OUT, null, null),
                            Attribute.sets("trustManagerClassName", LEFT_OUT, null, null),
                            Attribute.sets("revocationEnabled", NO_REVOCATION, "false", null),
                            Attribute.sets("ocspEnabled", NO_REVOCATION, "false", null)),
                    TomcatAttributes.of("SSLHostConfig")),
            "Certificate",
            "OpenSSLConf");

    private static final Element.Kind CERTIFICATE = new Element.Kind(
            "Certificate",
            Attribute.all(
                    Attribute.of(OF_CERTIFICATE.settings()),
                    List.of(Attribute.sets("type", KEY_TYPE, "UNDEFINED", null)),
                    TomcatAttributes.of("Certificate")));

    /**
     * The deprecated names on Connector of attributes of SSLHostConfig and Certificate: those of APR, then those of JSSE, which
     * take precedence.
     */
    private static final Map<String, List<String>> DEPRECATED = Map.ofEntries(
            Map.entry("protocols", List.of("SSLProtocol", "sslEnabledProtocols")),
            Map.entry("ciphers", List.of("SSLCipherSuite", "ciphers")),
            Map.entry("honorCipherOrder", List.of("SSLHonorCipherOrder", "useServerCipherSuitesOrder")),
            Map.entry("certificateVerification", List.of("SSLVerifyClient", "clientAuth")),
            Map.entry("certificateVerificationDepth", List.of("SSLVerifyDepth", "trustMaxCertLength")),
            Map.entry("caCertificateFile", List.of("SSLCACertificateFile")),
            Map.entry("certificateRevocationListFile", List.of("SSLCARevocationFile", "crlFile")),
            Map.entry("truststoreFile", List.of("truststoreFile")),
            Map.entry("truststorePassword", List.of("truststorePass")),
            Map.entry("truststoreType", List.of("truststoreType")),
            Map.entry("truststoreProvider", List.of("truststoreProvider")),
            Map.entry("sessionCacheSize", List.of("sessionCacheSize")),
            Map.entry("sessionTimeout", List.of("sessionTimeout")),
            Map.entry("disableSessionTickets", List.of("SSLDisableSessionTickets")),
            Map.entry("certificateFile", List.of("SSLCertificateFile")),
            Map.entry("certificateKeyFile", List.of("SSLCertificateKeyFile")),
            Map.entry("certificateChainFile", List.of("SSLCertificateChainFile")),
            Map.entry("certificateKeyPassword", List.of("SSLPassword", "keyPass")),
            Map.entry("certificateKeyPasswordFile", List.of("SSLPasswordFile", "keyPassFile")),
            Map.entry("certificateKeystoreFile", List.of("keystoreFile")),
            Map.entry("certificateKeystorePassword", List.of("keystorePass")),
            Map.entry("certificateKeystorePasswordFile", List.of("keystorePassFile")),
            Map.entry("certificateKeystoreType", List.of("keystoreType")),
            Map.entry("certificateKeystoreProvider", List.of("keystoreProvider")),
            Map.entry("certificateKeyAlias", List.of("keyAlias")));

    /** The attributes on Connector that define a TLS host. Tomcat accepts any deprecated attribute for that. */
    static final Set<String> OLD_CERTIFICATE = Set.of("keystoreFile", "SSLCertificateFile");

    static final List<Attribute<?>> ON_CONNECTOR = Attribute.all(
            List.of(Attribute.sets(
                    "sslImplementationName",
                    IMPLEMENTATION_CLASS,
                    null,
                    (settings, name, connector) ->
                            settings.with(TlsOptions.IMPLEMENTATION, IMPLEMENTATIONS.getOrDefault(name, JSSE)))),
            Attribute.of(TlsOptions.all()),
            deprecated(),
            List.of(
                    Attribute.sets("trustManagerClassName", LEFT_OUT, null, null),
                    Attribute.sets("SSLCACertificatePath", LEFT_OUT, null, null),
                    Attribute.sets("SSLCARevocationPath", LEFT_OUT, null, null)),
            TomcatAttributes.of("Connector TLS"));

    private TlsKinds() {}

    /** All kinds. */
    public static List<Element.Kind> kinds() {
        return List.of(SSL_HOST_CONFIG, CERTIFICATE, new OpenSslConf());
    }

    private static List<Attribute<?>> deprecated() {
        List<Attribute<?>> attributes = new ArrayList<>();
        DEPRECATED.forEach((name, names) -> {
            Attribute<?> ofHost = SSL_HOST_CONFIG.attribute(name);
            Attribute<?> attribute =
                    ofHost == null ? Objects.requireNonNull(CERTIFICATE.attribute(name)) : ofHost.asNeeded();
            names.forEach(old -> attributes.add(attribute.named(old)));
        });
        return attributes;
    }

    /**
     * The name under which a setting is written on an element: its own or, on a Connector, one of its deprecated names; null if the
     * element has no such attribute.
     *
     * @param name of an attribute of SSLHostConfig or Certificate
     */
    static @Nullable String nameOn(Element element, String name) {
        if (!element.name().equals("Connector")) {
            return element.kind().attribute(name) == null ? null : name;
        }
        return DEPRECATED.getOrDefault(name, List.of()).stream()
                .reduce((one, other) -> element.isSet(other) ? other : one)
                .orElse(null);
    }

    /** The deprecated names that are written on a Connector, with those on SSLHostConfig and Certificate. */
    static Map<String, String> deprecatedOn(Element connector) {
        Map<String, String> found = new TreeMap<>();
        DEPRECATED.forEach(
                (name, names) -> names.stream().filter(connector::isSet).forEach(old -> found.put(old, name)));
        return found;
    }

    private static final class OpenSslConf extends Element.Kind {

        OpenSslConf() {
            super("OpenSSLConf");
        }

        @Override
        public void check(Element element, String parent, Problems problems) {
            problems.error(
                    element.line(),
                    "OpenSSLConf is not supported, and may restrict access; set protocols, ciphers and"
                            + " certificateVerification on SSLHostConfig, and remove it");
        }
    }
}
