package io.millrace.standalone.config;

import io.millrace.tls.ClientVerification;
import io.millrace.tls.Keystore;
import io.millrace.tls.Password;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsHostBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes a TLS host of attributes, by whatever names they go where they stand. */
final class TlsHostReader {

    private final Values values;
    private final TlsNames names;
    private final Path base;

    TlsHostReader(Values values, TlsNames names, Path base) {
        this.values = values;
        this.names = names;
        this.base = base;
    }

    /** Without its certificates. */
    TlsHostBuilder host(String name) {
        TlsHostBuilder host = TlsHost.named(name);
        with("protocols", host::protocols);
        with("ciphers", host::ciphers);
        with("honorCipherOrder", text -> host.honorCipherOrder(Boolean.parseBoolean(text)));
        with("certificateVerification", text -> host.clientVerification(verification(text)));
        with("certificateVerificationDepth", text -> host.verificationDepth(Integer.parseInt(text.strip())));
        with("caCertificateFile", text -> host.caFile(file(text)));
        with("certificateRevocationListFile", text -> host.revocationFile(file(text)));
        with("sessionCacheSize", text -> host.sessionCacheSize(Integer.parseInt(text.strip())));
        with("sessionTimeout", text -> sessionTimeout(host, Long.parseLong(text.strip())));
        with("disableSessionTickets", text -> host.sessionTickets(!Boolean.parseBoolean(text)));
        with(
                "truststoreFile",
                text -> host.truststore(new Keystore(
                        file(text),
                        text("truststoreType"),
                        password("truststorePassword", null),
                        text("truststoreProvider"))));
        return host;
    }

    /** The certificate that these attributes name; null if they name none. */
    @Nullable
    TlsCertificate certificate() {
        String certificateFile = text("certificateFile");
        Password keyPassword = password("certificateKeyPassword", "certificateKeyPasswordFile");
        if (certificateFile != null) {
            return new TlsCertificate.Pem(
                    file(certificateFile),
                    optionalFile("certificateKeyFile"),
                    optionalFile("certificateChainFile"),
                    keyPassword);
        }
        String keystoreFile = text("certificateKeystoreFile");
        if (keystoreFile == null) {
            return null;
        }
        Keystore store = new Keystore(
                file(keystoreFile),
                text("certificateKeystoreType"),
                password("certificateKeystorePassword", "certificateKeystorePasswordFile"),
                text("certificateKeystoreProvider"));
        return new TlsCertificate.Stored(store, text("certificateKeyAlias"), keyPassword);
    }

    /** What is stapled to it. */
    void stapled(TlsHostBuilder host) {
        with("ocspResponseFile", text -> host.ocspResponseFile(file(text)));
    }

    /** A negative one leaves it to whoever does TLS, as in Tomcat. */
    private static void sessionTimeout(TlsHostBuilder host, long seconds) {
        if (seconds >= 0) {
            host.sessionTimeout(Duration.ofSeconds(seconds));
        }
    }

    static ClientVerification verification(String text) {
        return switch (TlsVocabulary.normal(text)) {
            case "required", "require", "true", "yes" -> ClientVerification.REQUIRED;
            case "optional", "want" -> ClientVerification.OPTIONAL;
            case "optionalnoca", "optional_no_ca" -> ClientVerification.OPTIONAL_NO_CA;
            default -> ClientVerification.NONE;
        };
    }

    private Password password(String name, @Nullable String fileName) {
        String file = fileName == null ? null : text(fileName);
        if (file != null) {
            return Password.file(file(file));
        }
        String text = text(name);
        return text == null ? Password.NONE : Password.of(text);
    }

    private @Nullable Path optionalFile(String name) {
        String text = text(name);
        return text == null ? null : file(text);
    }

    /** Relative to the base directory, as in Tomcat; its own way to write that directory has been replaced before. */
    private Path file(String text) {
        return base.resolve(
                        text.startsWith("file:")
                                ? Path.of(java.net.URI.create(text)).toString()
                                : text)
                .normalize();
    }

    private void with(String name, Consumer<String> setter) {
        String text = text(name);
        if (text != null) {
            setter.accept(text);
        }
    }

    private @Nullable String text(String name) {
        String here = names.of(name, values);
        return here == null ? null : values.text(here);
    }
}
