package io.millrace.tls;

import io.millrace.settings.SettingType;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A keystore or truststore file.
 *
 * @param file the file
 * @param type {@code PKCS12}, {@code JKS} or another type that the JDK supports; null to detect it
 * @param password of the file
 * @param provider the name of the security provider that reads it; null for any
 */
public record Keystore(
        Path file,
        @Nullable String type,
        Password password,
        @Nullable String provider) {

    /** In server.xml the value is the file; the rest are further attributes. */
    static final SettingType<Keystore> TYPE = new SettingType<>(SettingType.FILE.expected(), text -> {
        Path file = SettingType.FILE.read(text);
        return file == null ? null : of(file, Password.NONE);
    });

    /** A keystore whose type is detected, read by any provider. */
    public static Keystore of(Path file, Password password) {
        return new Keystore(file, null, password, null);
    }
}
