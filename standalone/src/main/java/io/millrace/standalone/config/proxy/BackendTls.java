package io.millrace.standalone.config.proxy;

import static io.millrace.standalone.config.connector.TlsKinds.FILE_OF_CERTIFICATE;
import static io.millrace.standalone.config.connector.TlsKinds.KEY_FILE;
import static io.millrace.standalone.config.connector.TlsKinds.KEY_PASSWORD;

import io.millrace.settings.Setting;
import io.millrace.standalone.config.connector.TlsHostReader;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
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

    static final List<Attribute<?>> ATTRIBUTES = List.of(
            Attribute.alias("caFile", TlsHost.CA_CERTIFICATE_FILE),
            Attribute.of(TlsOptions.IMPLEMENTATION, "jsse"),
            Attribute.alias("sslProtocols", TlsHost.PROTOCOLS),
            Attribute.of(TlsHost.CIPHERS),
            Attribute.of(FILE_OF_CERTIFICATE),
            Attribute.of(KEY_FILE),
            Attribute.of(KEY_PASSWORD));

    private BackendTls() {}

    /** Converts the attributes, without reading files. */
    static TlsClientOptions options(Element proxy, Path base) {
        TlsHostReader reader = new TlsHostReader(proxy, base);
        TlsClientOptions options = TlsClientOptions.DEFAULT.with(reader.settings());
        TlsCertificate certificate = reader.certificate();
        return certificate == null ? options : options.withCertificate(certificate);
    }

    /** Reads the files, and reports what would keep the proxy from starting. */
    public static void check(Element proxy, Path base, Problems problems) {
        for (Setting<?> name : List.of(KEY_FILE, KEY_PASSWORD)) {
            if (proxy.isSet(name) && !proxy.isSet(FILE_OF_CERTIFICATE)) {
                problems.error(
                        proxy.line(name),
                        name + " on Proxy has no effect without " + FILE_OF_CERTIFICATE
                                + "; expected both, or neither");
                return;
            }
        }
        try {
            TlsClients.check(options(proxy, base));
        } catch (TlsConfigurationException wrong) {
            String name = attribute(wrong.setting());
            problems.error(proxy.line(name), name + " on Proxy: " + wrong.getMessage());
        }
    }

    private static String attribute(TlsSetting setting) {
        return switch (setting) {
            case PROTOCOLS -> "sslProtocols";
            case IMPLEMENTATION, CIPHERS, KEY_FILE, KEY_PASSWORD -> setting.attribute();
            case CERTIFICATE_FILE, CHAIN_FILE, KEYSTORE_FILE, KEYSTORE_PASSWORD, KEYSTORE_TYPE, KEYSTORE_ALIAS ->
                FILE_OF_CERTIFICATE.name();
            case CA_FILE, TRUSTSTORE, REVOCATION_FILE, CLIENT_VERIFICATION, OCSP_RESPONSE_FILE, SESSION_TICKETS ->
                "caFile";
        };
    }
}
