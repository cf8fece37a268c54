package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.FILE;

import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import io.millrace.tls.Keystore;
import io.millrace.tls.Password;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsHost;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates a TLS host, or one of its certificates, from the attributes of one element. */
final class TlsHostReader {

    private final Values values;
    private final boolean isConnector;
    private final Path base;

    /**
     * For one element.
     *
     * @param isConnector true for the deprecated names on Connector, false for those of SSLHostConfig and Certificate
     */
    TlsHostReader(Values values, boolean isConnector, Path base) {
        this.values = values;
        this.isConnector = isConnector;
        this.base = base;
    }

    /** Creates the host, without its certificates. */
    TlsHost host(String name) {
        return TlsHost.named(name).with(settings());
    }

    /** Its settings, with files relative to the base directory. */
    Settings settings() {
        Settings settings = resolved(values.settings(), TlsHost.CA_CERTIFICATE_FILE);
        settings = resolved(settings, TlsHost.CERTIFICATE_REVOCATION_LIST_FILE);
        Path truststore = file("truststoreFile");
        return truststore == null
                ? settings
                : settings.with(
                        TlsHost.TRUSTSTORE,
                        new Keystore(
                                truststore,
                                text("truststoreType"),
                                password("truststorePassword", null),
                                text("truststoreProvider")));
    }

    private Settings resolved(Settings settings, Setting<Path> setting) {
        Path file = settings.find(setting);
        return file == null
                ? settings
                : settings.with(setting, base.resolve(file).normalize());
    }

    /** Creates the certificate that the attributes specify; null if they specify none. */
    @Nullable
    TlsCertificate certificate() {
        Path certificateFile = file("certificateFile");
        Password keyPassword = password("certificateKeyPassword", "certificateKeyPasswordFile");
        if (certificateFile != null) {
            return new TlsCertificate.Pem(
                    certificateFile, file("certificateKeyFile"), file("certificateChainFile"), keyPassword);
        }
        Path keystoreFile = file("certificateKeystoreFile");
        if (keystoreFile == null) {
            return null;
        }
        Keystore store = new Keystore(
                keystoreFile,
                text("certificateKeystoreType"),
                password("certificateKeystorePassword", "certificateKeystorePasswordFile"),
                text("certificateKeystoreProvider"));
        return new TlsCertificate.Stored(store, text("certificateKeyAlias"), keyPassword);
    }

    /** Returns the host with the OCSP response of this certificate, if it has one. */
    TlsHost stapled(TlsHost host) {
        Path response = file("ocspResponseFile");
        return response == null ? host : host.ocspResponseFile(response);
    }

    int line() {
        return values.line();
    }

    /** The line of the attribute with this name on SSLHostConfig or Certificate; that of the element if it is not set. */
    int line(String name) {
        String local = localName(name);
        return local == null ? values.line() : values.line(local);
    }

    private Password password(String name, @Nullable String fileName) {
        Path file = fileName == null ? null : file(fileName);
        if (file != null) {
            return Password.file(file);
        }
        String text = text(name);
        return text == null ? Password.NONE : Password.of(text);
    }

    /** Relative to the base directory, as in Tomcat. Placeholders have been replaced. */
    private @Nullable Path file(String name) {
        String text = text(name);
        Path file = text == null ? null : FILE.read(text);
        return file == null ? null : base.resolve(file).normalize();
    }

    private @Nullable String text(String name) {
        String local = localName(name);
        return local == null ? null : values.text(local);
    }

    /** The attribute's name on this element; null if the element has no such attribute. */
    private @Nullable String localName(String name) {
        if (!isConnector) {
            return values.has(name) ? name : null;
        }
        return TlsVocabulary.DEPRECATED.getOrDefault(name, List.of()).stream()
                .reduce((one, other) -> values.isSet(other) ? other : one)
                .orElse(null);
    }
}
