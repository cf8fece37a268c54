package io.millrace.standalone.config;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What an attribute of SSLHostConfig or Certificate is called where it stands. */
enum TlsNames {
    /** As in Tomcat since 8.5, on the element it belongs to. */
    OWN,
    /** The deprecated ones on Connector: those of JSSE, then those of APR. */
    ON_CONNECTOR;

    private static final Map<String, List<String>> OLD = Map.ofEntries(
            Map.entry("protocols", List.of("sslEnabledProtocols", "SSLProtocol")),
            Map.entry("ciphers", List.of("ciphers", "SSLCipherSuite")),
            Map.entry("honorCipherOrder", List.of("useServerCipherSuitesOrder", "SSLHonorCipherOrder")),
            Map.entry("certificateVerification", List.of("clientAuth", "SSLVerifyClient")),
            Map.entry("certificateVerificationDepth", List.of("trustMaxCertLength", "SSLVerifyDepth")),
            Map.entry("caCertificateFile", List.of("SSLCACertificateFile")),
            Map.entry("certificateRevocationListFile", List.of("crlFile", "SSLCARevocationFile")),
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
            Map.entry("certificateKeyPassword", List.of("keyPass", "SSLPassword")),
            Map.entry("certificateKeyPasswordFile", List.of("keyPassFile", "SSLPasswordFile")),
            Map.entry("certificateKeystoreFile", List.of("keystoreFile")),
            Map.entry("certificateKeystorePassword", List.of("keystorePass")),
            Map.entry("certificateKeystorePasswordFile", List.of("keystorePassFile")),
            Map.entry("certificateKeystoreType", List.of("keystoreType")),
            Map.entry("certificateKeystoreProvider", List.of("keystoreProvider")),
            Map.entry("certificateKeyAlias", List.of("keyAlias")));

    /** The deprecated names, each with its own. */
    static Map<String, String> deprecated() {
        Map<String, String> names = new TreeMap<>();
        OLD.forEach((own, old) -> old.forEach(name -> names.put(name, own)));
        return names;
    }

    /** Its name here; null if an attribute of that meaning can't stand on this element. */
    @Nullable
    String of(String name, Values values) {
        if (this == OWN) {
            return values.has(name) ? name : null;
        }
        List<String> candidates = OLD.getOrDefault(name, List.of());
        return candidates.stream()
                .filter(values::isSet)
                .findFirst()
                .orElse(candidates.isEmpty() ? null : candidates.get(0));
    }
}
