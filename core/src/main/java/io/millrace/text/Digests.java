package io.millrace.text;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests of text, by algorithms that the JVM is known to have: every Java platform has SHA-1 and SHA-256. */
public final class Digests {

    /** The name of SHA-256. */
    public static final String SHA_256 = "SHA-256";

    private Digests() {}

    /**
     * A digest of what is yet to be added.
     *
     * @throws IllegalStateException if the JVM does not have the algorithm
     */
    public static MessageDigest start(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(algorithm + " is not available in this JVM", e);
        }
    }

    /** The SHA-256 of a text in UTF-8. */
    public static byte[] sha256(String text) {
        return start(SHA_256).digest(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The digest of a text in UTF-8, in lower-case hex.
     *
     * @throws IllegalStateException if the JVM does not have the algorithm
     */
    public static String hex(String algorithm, String text) {
        return HexFormat.of().formatHex(start(algorithm).digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
