package io.millrace.servlet.identity;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The format of stored passwords, as Tomcat's CredentialHandler. Implementations are thread-safe. */
public interface PasswordFormat {

    /** Whether the password matches the stored one. The time does not depend on where they differ. */
    boolean matches(String stored, String password);

    /**
     * H(A1) of DIGEST (RFC 7616, 3.4.2): the digest of {@code name:realm:password} in hex; null if it cannot be computed from
     * the stored password, for example because that is hashed.
     */
    default @Nullable String digestSecret(String stored, String name, String realm, DigestAlgorithm algorithm) {
        return null;
    }

    /**
     * Detects the format of each password: {@code {SSHA}}, {@code {SHA}} and {@code {MD5}} with base64, as in LDAP; {@code
     * salt$iterations$hash} in hex, as Tomcat's digest.sh writes it (a hash of 64 or 128 digits is iterated SHA-256 or SHA-512,
     * one of 40 PBKDF2WithHmacSHA1 or iterated SHA-1); bcrypt ({@code $2a$}, {@code $2b$}, {@code $2x$}, {@code $2y$}), whose
     * users cannot log in without a bcrypt library on the class path. Any other text is the password in plaintext.
     */
    static PasswordFormat detected() {
        return DetectedPasswords.INSTANCE;
    }

    /**
     * The formats of Tomcat's MessageDigestCredentialHandler: the digest in hex, {@code salt$iterations$digest} in hex, or the
     * base64 formats of LDAP. DIGEST of the same algorithm takes a digest in hex for H(A1).
     *
     * @param algorithm a name for {@link java.security.MessageDigest}
     * @throws IllegalArgumentException if the algorithm is not available in this JVM
     */
    static PasswordFormat digested(String algorithm) {
        return digested(algorithm, StandardCharsets.UTF_8);
    }

    /**
     * As {@link #digested(String)}, with another character encoding.
     *
     * @param encoding the encoding of a password before it is digested; otherwise UTF-8
     * @throws IllegalArgumentException if the algorithm is not available in this JVM
     */
    static PasswordFormat digested(String algorithm, Charset encoding) {
        return new DigestedPasswords(algorithm, encoding);
    }

    /**
     * The format of Tomcat's SecretKeyCredentialHandler: {@code salt$iterations$key} in hex.
     *
     * @param algorithm a name for {@link javax.crypto.SecretKeyFactory}, such as {@code PBKDF2WithHmacSHA512}
     * @throws IllegalArgumentException if the algorithm is not available in this JVM
     */
    static PasswordFormat derivedKey(String algorithm) {
        return new DerivedKeys(algorithm);
    }

    /** Several formats in one store, as in Tomcat's NestedCredentialHandler. */
    static PasswordFormat anyOf(PasswordFormat... formats) {
        return new MixedPasswords(List.of(formats));
    }
}
