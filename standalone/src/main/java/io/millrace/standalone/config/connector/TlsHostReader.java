package io.millrace.standalone.config.connector;

import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.schema.Element;
import io.millrace.tls.Keystore;
import io.millrace.tls.Password;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsHost;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Creates a TLS host, or one of its certificates, from one element: an SSLHostConfig, a Certificate, a Proxy, or a Connector with
 * deprecated attributes.
 */
public final class TlsHostReader {

    private final Element element;
    private final Path base;

    /** @param base files are relative to it, as in Tomcat */
    public TlsHostReader(Element element, Path base) {
        this.element = element;
        this.base = base;
    }

    /** Creates the host, without its certificates. */
    TlsHost host(String name) {
        return TlsHost.named(name).with(settings());
    }

    /** Its settings, with files relative to the base directory. */
    public Settings settings() {
        Settings settings = resolved(element.settings(), TlsHost.CA_CERTIFICATE_FILE);
        settings = resolved(settings, TlsHost.CERTIFICATE_REVOCATION_LIST_FILE);
        Keystore truststore = element.find(TlsHost.TRUSTSTORE);
        return truststore == null
                ? settings
                : settings.with(
                        TlsHost.TRUSTSTORE,
                        new Keystore(
                                base.resolve(truststore.file()).normalize(),
                                element.find(TlsKinds.TRUSTSTORE_TYPE),
                                password(TlsKinds.TRUSTSTORE_PASSWORD, null),
                                element.find(TlsKinds.TRUSTSTORE_PROVIDER)));
    }

    private Settings resolved(Settings settings, Setting<Path> setting) {
        Path file = file(setting);
        return file == null ? settings : settings.with(setting, file);
    }

    /** Creates the certificate that the attributes specify; null if they specify none. */
    public @Nullable TlsCertificate certificate() {
        Path certificateFile = file(TlsKinds.FILE_OF_CERTIFICATE);
        Password keyPassword = password(TlsKinds.KEY_PASSWORD, TlsKinds.KEY_PASSWORD_FILE);
        if (certificateFile != null) {
            return new TlsCertificate.Pem(
                    certificateFile, file(TlsKinds.KEY_FILE), file(TlsKinds.CHAIN_FILE), keyPassword);
        }
        Path keystoreFile = file(TlsKinds.KEYSTORE_FILE);
        if (keystoreFile == null) {
            return null;
        }
        Keystore store = new Keystore(
                keystoreFile,
                element.find(TlsKinds.KEYSTORE_TYPE),
                password(TlsKinds.KEYSTORE_PASSWORD, TlsKinds.KEYSTORE_PASSWORD_FILE),
                element.find(TlsKinds.KEYSTORE_PROVIDER));
        return new TlsCertificate.Stored(store, element.find(TlsKinds.KEY_ALIAS), keyPassword);
    }

    /** Returns the host with the OCSP response of this certificate, if it has one. */
    TlsHost stapled(TlsHost host) {
        Path response = file(TlsKinds.OCSP_RESPONSE_FILE);
        return response == null ? host : host.ocspResponseFile(response);
    }

    int line() {
        return element.line();
    }

    /** The line of the attribute with this name on SSLHostConfig or Certificate; that of the element if it is not set. */
    int line(String name) {
        String local = TlsKinds.nameOn(element, name);
        return local == null ? element.line() : element.line(local);
    }

    private Password password(Setting<String> setting, @Nullable Setting<Path> ofFile) {
        Path file = ofFile == null ? null : file(ofFile);
        if (file != null) {
            return Password.file(file);
        }
        String text = element.find(setting);
        return text == null ? Password.NONE : Password.of(text);
    }

    /** Relative to the base directory, as in Tomcat. Placeholders have been replaced. */
    private @Nullable Path file(Setting<Path> setting) {
        Path file = element.find(setting);
        return file == null ? null : base.resolve(file).normalize();
    }
}
