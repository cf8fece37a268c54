package io.millrace.servlet.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A stored password, in one of Tomcat's forms:
 *
 * <ul>
 *   <li>{@code {SSHA}}, {@code {SHA}}, {@code {MD5}} and base64, as in LDAP;
 *   <li>{@code salt$iterations$hash} in hex, as its digest tool writes it: a hash of 64 or 128 digits is SHA-256 or
 *       SHA-512, iterated (MessageDigestCredentialHandler); one of 40 is PBKDF2WithHmacSHA1 (SecretKeyCredentialHandler);
 *   <li>anything else is the password itself.
 * </ul>
 *
 * Comparing takes the same time wherever the difference is.
 */
sealed interface Credential {

    Pattern SALTED =
            Pattern.compile("([0-9a-fA-F]*)\\$([0-9]{1,9})\\$([0-9a-fA-F]{40}|[0-9a-fA-F]{64}|[0-9a-fA-F]{128})");

    boolean matches(String password);

    static Credential parse(String stored) {
        Matcher salted = SALTED.matcher(stored);
        if (salted.matches() && salted.group(1).length() % 2 == 0) {
            byte[] salt = HexFormat.of().parseHex(salted.group(1));
            byte[] hash = HexFormat.of().parseHex(salted.group(3));
            int iterations = Math.max(1, Integer.parseInt(salted.group(2)));
            return switch (hash.length) {
                case 20 -> new DerivedKey(salt, iterations, hash);
                case 32 -> new Digested("SHA-256", true, salt, iterations, hash);
                default -> new Digested("SHA-512", true, salt, iterations, hash);
            };
        }
        String upper = stored.toUpperCase(Locale.ROOT);
        try {
            if (upper.startsWith("{SSHA}")) {
                byte[] bytes = Base64.getDecoder().decode(stored.substring(6));
                int length = Math.min(20, bytes.length);
                byte[] salt = Arrays.copyOfRange(bytes, length, bytes.length);
                return new Digested("SHA-1", false, salt, 1, Arrays.copyOf(bytes, length));
            }
            if (upper.startsWith("{SHA}")) {
                return new Digested(
                        "SHA-1", false, new byte[0], 1, Base64.getDecoder().decode(stored.substring(5)));
            }
            if (upper.startsWith("{MD5}")) {
                return new Digested(
                        "MD5", false, new byte[0], 1, Base64.getDecoder().decode(stored.substring(5)));
            }
        } catch (IllegalArgumentException notBase64) {
            return new Plain(stored);
        }
        return new Plain(stored);
    }

    /** The password itself. */
    record Plain(String stored) implements Credential {
        @Override
        public boolean matches(String password) {
            return MessageDigest.isEqual(stored.getBytes(UTF_8), password.getBytes(UTF_8));
        }

        @Override
        public String toString() {
            return "a password";
        }
    }

    /** A digest, digested again for each further iteration; LDAP puts the salt behind, Tomcat before the password. */
    @SuppressWarnings("ArrayRecordComponent") // never compared as a record
    record Digested(String algorithm, boolean saltFirst, byte[] salt, int iterations, byte[] hash)
            implements Credential {
        @Override
        public boolean matches(String password) {
            try {
                MessageDigest digest = MessageDigest.getInstance(algorithm);
                digest.update(saltFirst ? salt : password.getBytes(UTF_8));
                byte[] result = digest.digest(saltFirst ? password.getBytes(UTF_8) : salt);
                for (int i = 1; i < iterations; i++) {
                    result = digest.digest(result);
                }
                return MessageDigest.isEqual(hash, result);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("This Java has no " + algorithm + ".", e);
            }
        }
    }

    /** A key derived from the password. */
    @SuppressWarnings("ArrayRecordComponent") // never compared as a record
    record DerivedKey(byte[] salt, int iterations, byte[] hash) implements Credential {

        private static final String ALGORITHM = "PBKDF2WithHmacSHA1";

        @Override
        public boolean matches(String password) {
            if (salt.length == 0) {
                return false; // there is no such key
            }
            PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, hash.length * 8);
            try {
                byte[] key = SecretKeyFactory.getInstance(ALGORITHM)
                        .generateSecret(spec)
                        .getEncoded();
                return MessageDigest.isEqual(hash, key);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("This Java has no " + ALGORITHM + ".", e);
            } finally {
                spec.clearPassword();
            }
        }
    }
}
