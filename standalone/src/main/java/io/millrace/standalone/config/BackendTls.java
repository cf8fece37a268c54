package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.FILE;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.standalone.config.AttributeRule.alias;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.material.TlsClients;
import java.nio.file.Path;
import java.util.List;

/** The attributes of a Proxy for TLS with its backends, named like those of a Connector and its SSLHostConfig. */
public final class BackendTls {

    private static final String CERTIFICATE = "certificateFile";
    private static final String KEY = "certificateKeyFile";
    private static final String KEY_PASSWORD = "certificateKeyPassword";

    static final List<AttributeRule> RULES = List.of(
            alias("caFile", TlsHost.CA_CERTIFICATE_FILE),
            AttributeRule.of(TlsOptions.IMPLEMENTATION, "jsse"),
            alias("sslProtocols", TlsHost.PROTOCOLS),
            AttributeRule.of(TlsHost.CIPHERS),
            works(CERTIFICATE, FILE, null),
            works(KEY, FILE, null),
            works(KEY_PASSWORD, TEXT, null));

    private BackendTls() {}

    /** Converts the attributes, without reading files. */
    static TlsClientOptions options(Values values, Path base) {
        TlsHostReader reader = new TlsHostReader(values, false, base);
        TlsClientOptions options = TlsClientOptions.DEFAULT.with(reader.settings());
        TlsCertificate certificate = reader.certificate();
        return certificate == null ? options : options.withCertificate(certificate);
    }

    /** Reads the files, and reports what would keep the proxy from starting. */
    public static void check(Values values, Path base, Problems problems) {
        for (String name : List.of(KEY, KEY_PASSWORD)) {
            if (values.isSet(name) && !values.isSet(CERTIFICATE)) {
                problems.error(
                        values.line(name),
                        name + " on Proxy has no effect without " + CERTIFICATE + "; expected both, or neither");
                return;
            }
        }
        try {
            TlsClients.check(options(values, base));
        } catch (TlsConfigurationException wrong) {
            String name = attribute(wrong.setting());
            problems.error(values.line(name), name + " on Proxy: " + wrong.getMessage());
        }
    }

    private static String attribute(TlsSetting setting) {
        return switch (setting) {
            case PROTOCOLS -> "sslProtocols";
            case IMPLEMENTATION, CIPHERS, KEY_FILE, KEY_PASSWORD -> setting.attribute();
            case CERTIFICATE_FILE, CHAIN_FILE, KEYSTORE_FILE, KEYSTORE_PASSWORD, KEYSTORE_TYPE, KEYSTORE_ALIAS ->
                CERTIFICATE;
            case CA_FILE, TRUSTSTORE, REVOCATION_FILE, CLIENT_VERIFICATION, OCSP_RESPONSE_FILE, SESSION_TICKETS ->
                "caFile";
        };
    }
}
