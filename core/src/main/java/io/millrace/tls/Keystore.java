package io.millrace.tls;

import io.millrace.settings.SettingType;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file of keys or trusted certificates in one of Java's formats.
 *
 * @param type {@code PKCS12}, {@code JKS} or another the JDK knows; null to find out
 * @param provider the security provider that shall read it; null for any
 */
public record Keystore(
        Path file,
        @Nullable String type,
        Password password,
        @Nullable String provider) {

    /** In server.xml its file; what else is known of it are attributes beside it. */
    static final SettingType<Keystore> TYPE = new SettingType<>(SettingType.FILE.expected(), text -> {
        Path file = SettingType.FILE.read(text);
        return file == null ? null : of(file, Password.NONE);
    });

    /** One of a type to be found out, read by any provider. */
    public static Keystore of(Path file, Password password) {
        return new Keystore(file, null, password, null);
    }
}
