package io.millrace.servlet.identity;

import io.millrace.text.Digests;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** A digest algorithm of DIGEST authentication (RFC 7616, 6.1). */
public enum DigestAlgorithm {
    MD5("MD5"),
    SHA_256("SHA-256");

    private final String token;

    DigestAlgorithm(String token) {
        this.token = token;
    }

    /** The name of the algorithm in challenges and for {@link MessageDigest}. */
    public String token() {
        return token;
    }

    /** The algorithm that a client names; MD5 if it names none (RFC 7616, 3.4); null if the algorithm is not supported. */
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

    /** The digest of a text in UTF-8, in lower-case hex. */
    public String hex(String text) {
        return Digests.hex(token, text);
    }
}
