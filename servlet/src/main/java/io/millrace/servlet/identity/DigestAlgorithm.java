package io.millrace.servlet.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A digest that DIGEST authentication knows (RFC 7616, 6.1). */
public enum DigestAlgorithm {
    MD5("MD5"),
    SHA_256("SHA-256");

    private final String token;

    DigestAlgorithm(String token) {
        this.token = token;
    }

    /** As challenges and {@link MessageDigest} name it. */
    public String token() {
        return token;
    }

    /** The algorithm a client names, MD5 if it names none; null if it is unknown. */
    public static @Nullable DigestAlgorithm of(@Nullable String name) {
        if (name == null) {
            return MD5;
        }
        for (DigestAlgorithm algorithm : values()) {
            if (algorithm.token.equalsIgnoreCase(name)) {
                return algorithm;
            }
        }
        return null;
    }

    /** The digest of a text's UTF-8, in hex. */
    public String hex(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(token).digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java has no " + token + ".", e);
        }
    }
}
