package io.millrace.tls;

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

    /** One of a type to be found out, read by any provider. */
    public static Keystore of(Path file, Password password) {
        return new Keystore(file, null, password, null);
    }
}
