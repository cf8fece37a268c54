package io.millrace.servlet.identity;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a store writes passwords down. Any thread. */
public interface PasswordFormat {

    /** True if the password is the stored one. Takes the same time wherever the difference is. */
    boolean matches(String stored, String password);

    /**
     * H(A1) of DIGEST: the digest of {@code name:realm:password} in hex; null if it can't be had from what is stored, as
     * from a hash of the password alone.
     */
    default @Nullable String digestSecret(String stored, String name, String realm, DigestAlgorithm algorithm) {
        return null;
    }

    /**
     * What needs no further word to be recognized: {@code {SSHA}}, {@code {SHA}} and {@code {MD5}} with base64, as in LDAP;
     * {@code salt$iterations$hash} in hex, as Tomcat's digest.sh writes it (64 or 128 digits are iterated SHA-256 or
     * SHA-512, 40 PBKDF2WithHmacSHA1 or iterated SHA-1); bcrypt's {@code $2a$}, if a library for it is there; everything
     * else is the password itself.
     */
    static PasswordFormat detected() {
        return DetectedPasswords.INSTANCE;
    }

    /**
     * What Tomcat's MessageDigestCredentialHandler makes: the digest in hex, {@code salt$iterations$digest}, or base64 in
     * LDAP's forms. A digest in hex is H(A1) to DIGEST of the same algorithm.
     *
     * @param algorithm as in {@link java.security.MessageDigest}
     * @throws IllegalArgumentException if this Java does not have it
     */
    static PasswordFormat digested(String algorithm) {
        return digested(algorithm, StandardCharsets.UTF_8);
    }

    /**
     * The same for passwords in another encoding.
     *
     * @param encoding in which passwords are digested
     * @throws IllegalArgumentException if this Java does not have the algorithm
     */
    static PasswordFormat digested(String algorithm, Charset encoding) {
        return new DigestedPasswords(algorithm, encoding);
    }

    /**
     * What Tomcat's SecretKeyCredentialHandler makes: {@code salt$iterations$key} in hex.
     *
     * @param algorithm as in {@link javax.crypto.SecretKeyFactory}, {@code PBKDF2WithHmacSHA512} for one
     * @throws IllegalArgumentException if this Java does not have it
     */
    static PasswordFormat derivedKey(String algorithm) {
        return new DerivedKeys(algorithm);
    }

    /** Passwords of several formats in one store, as Tomcat's NestedCredentialHandler. */
    static PasswordFormat anyOf(PasswordFormat... formats) {
        return new MixedPasswords(List.of(formats));
    }
}
