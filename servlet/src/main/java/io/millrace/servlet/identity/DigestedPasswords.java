package io.millrace.servlet.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.text.Digests;
import java.nio.charset.Charset;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Digests of passwords, in the format of Tomcat's MessageDigestCredentialHandler. */
record DigestedPasswords(String algorithm, Charset encoding) implements PasswordFormat {

    private static final int SHA1_LENGTH = 20;

    /** Checks that the JVM provides the algorithm. */
    DigestedPasswords {
        try {
            MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalArgumentException(
                    "algorithm \"" + algorithm
                            + "\" is not a MessageDigest of this JVM; expected, for example, SHA-512",
                    e);
        }
    }

    DigestedPasswords(String algorithm) {
        this(algorithm, UTF_8);
    }

    @Override
    public boolean matches(String stored, String password) {
        SaltedHash salted = SaltedHash.parse(stored);
        if (salted != null) {
            return matches(salted, password);
        }
        byte[] bytes = password.getBytes(encoding);
        int brace = stored.startsWith("{") ? stored.indexOf('}') : -1;
        if (brace < 0) {
            String hex = HexFormat.of().formatHex(digest(algorithm, bytes));
            return MessageDigest.isEqual(
                    hex.getBytes(UTF_8), stored.toLowerCase(Locale.ROOT).getBytes(UTF_8));
        }
        byte[] hash = base64(stored.substring(brace + 1));
        boolean saltBehind = stored.substring(0, brace).equalsIgnoreCase("{SSHA");
        if (!saltBehind) {
            return hash != null && MessageDigest.isEqual(hash, digest(algorithm, bytes));
        }
        int length = hash == null ? 0 : Math.min(SHA1_LENGTH, hash.length);
        return hash != null
                && MessageDigest.isEqual(
                        Arrays.copyOf(hash, length),
                        digest("SHA-1", bytes, Arrays.copyOfRange(hash, length, hash.length)));
    }

    /** Tomcat's order: the salt before the password; each further iteration digests the result. */
    boolean matches(SaltedHash stored, String password) {
        byte[] result = digest(algorithm, stored.salt(), password.getBytes(encoding));
        for (int i = 1; i < stored.iterations(); i++) {
            result = digest(algorithm, result);
        }
        return MessageDigest.isEqual(stored.hash(), result);
    }

    /** For DIGEST with digested passwords, Tomcat's stores have H(A1) in hex. */
    @Override
    public @Nullable String digestSecret(String stored, String name, String realm, DigestAlgorithm wanted) {
        boolean bare = stored.indexOf('$') < 0 && stored.indexOf('{') < 0;
        return bare && wanted.token().equalsIgnoreCase(algorithm) ? stored.toLowerCase(Locale.ROOT) : null;
    }

    private static byte[] digest(String algorithm, byte[]... parts) {
        MessageDigest digest = Digests.start(algorithm);
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    private static byte @Nullable [] base64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }
}
