package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.FILE;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.oneOf;
import static io.millrace.settings.SettingType.word;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.only;
import static io.millrace.standalone.config.AttributeRule.sets;
import static io.millrace.standalone.config.AttributeRule.texts;
import static io.millrace.standalone.config.AttributeRule.works;
import static io.millrace.tls.TlsImplementation.JSSE;
import static io.millrace.tls.TlsImplementation.OPENSSL;

import io.millrace.settings.SettingType;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The attributes of Tomcat 9's TLS: on SSLHostConfig, on Certificate, and the deprecated ones on Connector. */
final class TlsVocabulary {

    /** Tomcat's classes; the two for OpenSSL call it in different ways. */
    private static final Map<String, TlsImplementation> IMPLEMENTATIONS = Map.of(
            "org.apache.tomcat.util.net.jsse.JSSEImplementation", JSSE,
            "org.apache.tomcat.util.net.openssl.OpenSSLImplementation", OPENSSL,
            "org.apache.tomcat.util.net.openssl.panama.OpenSSLImplementation", OPENSSL);

    private static final SettingType<?> IMPLEMENTATION_CLASS =
            oneOf(IMPLEMENTATIONS.keySet().stream().sorted().toArray(String[]::new));

    private static final String NO_RENEGOTIATION = "renegotiation is always refused";

    /** Attributes that restrict access in Tomcat and have no effect here are errors. */
    private static final SettingType<?> LEFT_OUT = SettingType.text(
            "it to be left out, because it would not restrict access here; name one PEM file in caCertificateFile, or a"
                    + " truststoreFile, and one in certificateRevocationListFile",
            value -> false);

    private static final SettingType<?> NO_REVOCATION = SettingType.text(
            "false, because revocation lists are not fetched and OCSP is not used; name a PEM file in"
                    + " certificateRevocationListFile",
            "false"::equalsIgnoreCase);

    private static final SettingType<?> KEY_TYPE = word("RSA", "EC", "DSA", "UNDEFINED");

    static final ElementRule SSL_HOST_CONFIG = ElementRule.of(
            "SSLHostConfig",
            Stream.of(
                            List.of(works("hostName", TEXT, TlsHost.ANY)),
                            AttributeRule.of(TlsHost.all()),
                            texts("truststorePassword", "truststoreType", "truststoreProvider"),
                            List.of(
                                    none("insecureRenegotiation", BOOLEAN, "false", NO_RENEGOTIATION),
                                    works("caCertificatePath", LEFT_OUT, null),
                                    works("certificateRevocationListPath", LEFT_OUT, null),
                                    works("trustManagerClassName", LEFT_OUT, null),
                                    works("revocationEnabled", NO_REVOCATION, "false"),
                                    works("ocspEnabled", NO_REVOCATION, "false"),
                                    none("keyManagerAlgorithm", TEXT),
                                    none("truststoreAlgorithm", TEXT),
                                    only("cipherSuites", "", "set all in ciphers, those of TLS 1.3 too"),
                                    only("groups", "", "set them with -Djdk.tls.namedGroups in JAVA_OPTS"),
                                    moot("sslProtocol"),
                                    moot("disableCompression"),
                                    moot("className")))
                    .flatMap(List::stream)
                    .toList(),
            "Certificate",
            "OpenSSLConf");

    static final ElementRule CERTIFICATE = ElementRule.of(
            "Certificate",
            List.of(
                    works("certificateFile", FILE, null),
                    works("certificateKeyFile", FILE, null),
                    works("certificateChainFile", FILE, null),
                    works("certificateKeyPassword", TEXT, null),
                    works("certificateKeyPasswordFile", FILE, null),
                    works("certificateKeystoreFile", FILE, null),
                    works("certificateKeystorePassword", TEXT, "changeit"),
                    works("certificateKeystorePasswordFile", FILE, null),
                    works("certificateKeystoreType", TEXT, null),
                    works("certificateKeystoreProvider", TEXT, null),
                    works("certificateKeyAlias", TEXT, null),
                    works("ocspResponseFile", FILE, null),
                    works("type", KEY_TYPE, "UNDEFINED"),
                    moot("className")));

    /**
     * The deprecated names on Connector of attributes of SSLHostConfig and Certificate: those of APR, then those of JSSE, which
     * take precedence.
     */
    static final Map<String, List<String>> DEPRECATED = Map.ofEntries(
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

    static final List<AttributeRule> ON_CONNECTOR = Stream.of(
                    List.of(sets(
                            "sslImplementationName",
                            IMPLEMENTATION_CLASS,
                            null,
                            (settings, name, connector) -> settings.with(
                                    TlsOptions.IMPLEMENTATION, IMPLEMENTATIONS.getOrDefault(name, JSSE)))),
                    AttributeRule.of(TlsOptions.all()),
                    deprecated(),
                    List.of(
                            works("trustManagerClassName", LEFT_OUT, null),
                            works("SSLCACertificatePath", LEFT_OUT, null),
                            works("SSLCARevocationPath", LEFT_OUT, null),
                            none("truststoreAlgorithm", TEXT),
                            none("algorithm", TEXT),
                            none("SSLInsecureRenegotiation", BOOLEAN, "false", NO_RENEGOTIATION),
                            moot("sslProtocol"),
                            moot("SSLDisableCompression")))
            .flatMap(List::stream)
            .toList();

    /** The attributes on Connector that define a TLS host. Tomcat accepts any deprecated attribute for that. */
    static final Set<String> OLD_CERTIFICATE = Set.of("keystoreFile", "SSLCertificateFile");

    /** The deprecated names on Connector of attributes of SSLHostConfig. */
    static final Set<String> OF_HOST = DEPRECATED.entrySet().stream()
            .filter(names -> SSL_HOST_CONFIG.attributes().containsKey(names.getKey()))
            .flatMap(names -> names.getValue().stream())
            .collect(Collectors.toUnmodifiableSet());

    private TlsVocabulary() {}

    /** Without the defaults of settings: of two names, the default of one would override the value of the other. */
    private static List<AttributeRule> deprecated() {
        List<AttributeRule> rules = new ArrayList<>();
        DEPRECATED.forEach((name, old) -> {
            AttributeRule rule = Stream.of(SSL_HOST_CONFIG, CERTIFICATE)
                    .map(element -> element.attributes().get(name))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElseThrow();
            String byDefault = rule.assignment() == null ? rule.byDefault() : null;
            old.forEach(each -> rules.add(sets(each, rule.type(), byDefault, rule.assignment())));
        });
        return rules;
    }
}
