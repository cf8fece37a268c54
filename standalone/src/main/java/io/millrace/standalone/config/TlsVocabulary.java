package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;
import static io.millrace.settings.SettingType.oneOf;
import static io.millrace.settings.SettingType.word;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.only;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.settings.SettingType;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The attributes of Tomcat 9's TLS: on SSLHostConfig, on Certificate, and the deprecated ones on Connector. */
final class TlsVocabulary {

    /** What Tomcat takes for whether clients show certificates: its own words, the old JSSE ones and mod_ssl's. */
    private static final SettingType<?> VERIFICATION = word(
            "none",
            "optional",
            "optionalNoCA",
            "required",
            "true",
            "yes",
            "want",
            "false",
            "no",
            "optional_no_ca",
            "require");

    /** Tomcat's classes; those for OpenSSL differ in how they call it. */
    private static final Map<String, String> IMPLEMENTATIONS = Map.of(
            "org.apache.tomcat.util.net.jsse.JSSEImplementation", "jsse",
            "org.apache.tomcat.util.net.openssl.OpenSSLImplementation", "openssl",
            "org.apache.tomcat.util.net.openssl.panama.OpenSSLImplementation", "openssl");

    private static final SettingType<?> IMPLEMENTATION_CLASS =
            oneOf(IMPLEMENTATIONS.keySet().stream().sorted().toArray(String[]::new));

    private static final String NO_RENEGOTIATION = "renegotiation is always refused";

    /** What would keep clients out in Tomcat and does nothing here must not pass with a warning. */
    private static final SettingType<?> LEFT_OUT = SettingType.text(
            "it to be left out, as it would keep nobody out here; name one PEM file in caCertificateFile, or a"
                    + " truststoreFile, and one in certificateRevocationListFile",
            value -> false);

    private static final SettingType<?> NO_REVOCATION = SettingType.text(
            "false, as no list is fetched and nobody is asked here; name a PEM file in certificateRevocationListFile",
            "false"::equalsIgnoreCase);

    private static final SettingType<?> KEY_TYPE = word("RSA", "EC", "DSA", "UNDEFINED");
    private static final SettingType<?> COUNT = number(-1, Integer.MAX_VALUE);

    static final ElementRule SSL_HOST_CONFIG = ElementRule.of(
            "SSLHostConfig",
            List.of(
                    works("hostName", TEXT, "_default_"),
                    works("protocols", TEXT, "all"),
                    works("ciphers", TEXT, null),
                    works("honorCipherOrder", BOOLEAN, "true"),
                    works("certificateVerification", VERIFICATION, "none"),
                    works("certificateVerificationDepth", COUNT, "10"),
                    works("caCertificateFile", TEXT, null),
                    works("certificateRevocationListFile", TEXT, null),
                    works("truststoreFile", TEXT, null),
                    works("truststorePassword", TEXT, null),
                    works("truststoreType", TEXT, null),
                    works("truststoreProvider", TEXT, null),
                    works("sessionCacheSize", COUNT, "-1"),
                    works("sessionTimeout", COUNT, "86400"),
                    works("disableSessionTickets", BOOLEAN, "false"),
                    none("insecureRenegotiation", BOOLEAN, "false", NO_RENEGOTIATION),
                    works("caCertificatePath", LEFT_OUT, null),
                    works("certificateRevocationListPath", LEFT_OUT, null),
                    works("trustManagerClassName", LEFT_OUT, null),
                    works("revocationEnabled", NO_REVOCATION, "false"),
                    works("ocspEnabled", NO_REVOCATION, "false"),
                    none("keyManagerAlgorithm", TEXT),
                    none("truststoreAlgorithm", TEXT),
                    only("cipherSuites", "", "say all in ciphers, those of TLS 1.3 too"),
                    only("groups", "", "say them with -Djdk.tls.namedGroups in JAVA_OPTS"),
                    moot("sslProtocol"),
                    moot("disableCompression"),
                    moot("className")),
            "Certificate",
            "OpenSSLConf");

    static final ElementRule CERTIFICATE = ElementRule.of(
            "Certificate",
            List.of(
                    works("certificateFile", TEXT, null),
                    works("certificateKeyFile", TEXT, null),
                    works("certificateChainFile", TEXT, null),
                    works("certificateKeyPassword", TEXT, null),
                    works("certificateKeyPasswordFile", TEXT, null),
                    works("certificateKeystoreFile", TEXT, null),
                    works("certificateKeystorePassword", TEXT, "changeit"),
                    works("certificateKeystorePasswordFile", TEXT, null),
                    works("certificateKeystoreType", TEXT, null),
                    works("certificateKeystoreProvider", TEXT, null),
                    works("certificateKeyAlias", TEXT, null),
                    works("ocspResponseFile", TEXT, null),
                    works("type", KEY_TYPE, "UNDEFINED"),
                    moot("className")));

    /** The old way: one host's settings on the Connector itself. */
    static final List<AttributeRule> ON_CONNECTOR = List.of(
            works("defaultSSLHostConfigName", TEXT, "_default_"),
            works("sslImplementation", word("auto", "jsse", "openssl"), null),
            works("sslImplementationName", IMPLEMENTATION_CLASS, null),
            works("keystoreFile", TEXT, null),
            works("keystorePass", TEXT, "changeit"),
            works("keystorePassFile", TEXT, null),
            works("keystoreType", TEXT, null),
            works("keystoreProvider", TEXT, null),
            works("keyAlias", TEXT, null),
            works("keyPass", TEXT, null),
            works("keyPassFile", TEXT, null),
            works("clientAuth", VERIFICATION, null),
            works("sslEnabledProtocols", TEXT, null),
            works("ciphers", TEXT, null),
            works("useServerCipherSuitesOrder", BOOLEAN, null),
            works("crlFile", TEXT, null),
            works("trustMaxCertLength", COUNT, null),
            works("truststoreFile", TEXT, null),
            works("truststorePass", TEXT, null),
            works("truststoreType", TEXT, null),
            works("truststoreProvider", TEXT, null),
            works("sessionCacheSize", COUNT, null),
            works("sessionTimeout", COUNT, null),
            works("SSLCACertificateFile", TEXT, null),
            works("SSLCARevocationFile", TEXT, null),
            works("SSLCertificateChainFile", TEXT, null),
            works("SSLCertificateFile", TEXT, null),
            works("SSLCertificateKeyFile", TEXT, null),
            works("SSLCipherSuite", TEXT, null),
            works("SSLHonorCipherOrder", BOOLEAN, null),
            works("SSLPassword", TEXT, null),
            works("SSLPasswordFile", TEXT, null),
            works("SSLProtocol", TEXT, null),
            works("SSLVerifyClient", VERIFICATION, null),
            works("SSLVerifyDepth", COUNT, null),
            works("SSLDisableSessionTickets", BOOLEAN, null),
            works("trustManagerClassName", LEFT_OUT, null),
            works("SSLCACertificatePath", LEFT_OUT, null),
            works("SSLCARevocationPath", LEFT_OUT, null),
            none("truststoreAlgorithm", TEXT),
            none("algorithm", TEXT),
            none("SSLInsecureRenegotiation", BOOLEAN, "false", NO_RENEGOTIATION),
            moot("sslProtocol"),
            moot("SSLDisableCompression"));

    /** Those of them that begin a host of their own, in Tomcat too: it takes any as a sign that the old way is meant. */
    static final Set<String> OLD_CERTIFICATE = Set.of("keystoreFile", "SSLCertificateFile");

    private TlsVocabulary() {}

    /** What one of Tomcat's classes stands for; the JDK's TLS unless one is named. */
    static String implementation(String className) {
        return IMPLEMENTATIONS.getOrDefault(className.strip(), "jsse");
    }

    /** The word as it is compared. */
    static String normal(String word) {
        return word.strip().toLowerCase(Locale.ROOT);
    }
}
