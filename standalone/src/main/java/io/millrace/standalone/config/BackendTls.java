package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.word;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.tls.Password;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.material.TlsClients;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What a Proxy says of TLS with its backends: attributes named as those of a Connector and its SSLHostConfig. */
public final class BackendTls {

    private static final String CERTIFICATE = "certificateFile";
    private static final String KEY = "certificateKeyFile";

    static final List<AttributeRule> RULES = List.of(
            works("caFile", TEXT, null),
            works("sslImplementation", word("auto", "jsse", "openssl"), "jsse"),
            works("sslProtocols", TEXT, null),
            works("ciphers", TEXT, null),
            works(CERTIFICATE, TEXT, null),
            works(KEY, TEXT, null),
            works("certificateKeyPassword", TEXT, null));

    private BackendTls() {}

    /** As they are configured; no file is read. */
    static TlsClientOptions options(Values values, Path base) {
        TlsClientOptions options =
                TlsClientOptions.DEFAULT.withImplementation(implementation(values.text("sslImplementation", "jsse")));
        String authorities = values.text("caFile");
        String protocols = values.text("sslProtocols");
        String ciphers = values.text("ciphers");
        String certificate = values.text(CERTIFICATE);
        options = authorities == null ? options : options.withCaFile(base.resolve(authorities));
        options = protocols == null ? options : options.withProtocols(protocols);
        options = ciphers == null ? options : options.withCiphers(ciphers);
        return certificate == null ? options : options.withCertificate(pem(values, base, certificate));
    }

    private static TlsCertificate pem(Values values, Path base, String certificate) {
        String key = values.text(KEY);
        String password = values.text("certificateKeyPassword");
        return new TlsCertificate.Pem(
                base.resolve(certificate),
                key == null ? null : base.resolve(key),
                null,
                password == null ? Password.NONE : Password.of(password));
    }

    /**
     * Whose TLS it is to be.
     *
     * @param word {@code auto}, {@code jsse} or {@code openssl}, in any case
     * @throws IllegalArgumentException if it is none of these
     */
    public static TlsImplementation implementation(String word) {
        try {
            return TlsImplementation.valueOf(word.strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException(
                    "\"" + word + "\" is no implementation of TLS; expected jsse, openssl or auto", unknown);
        }
    }

    /** Reads the files, and says what would keep the proxy from starting. */
    public static void check(Values values, Path base, Problems problems) {
        Set<String> keyOnly = Set.of(KEY, "certificateKeyPassword");
        for (String name : keyOnly) {
            if (values.isSet(name) && !values.isSet(CERTIFICATE)) {
                problems.error(
                        values.line(name),
                        name + " on Proxy has no effect without certificateFile; expected both, or neither");
                return;
            }
        }
        try {
            TlsClients.check(options(values, base));
        } catch (TlsConfigurationException wrong) {
            String name = attribute(wrong.setting());
            problems.error(
                    values.isSet(name) ? values.line(name) : values.line(), name + " on Proxy: " + wrong.getMessage());
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
