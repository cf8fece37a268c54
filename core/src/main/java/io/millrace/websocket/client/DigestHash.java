package io.millrace.websocket.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The algorithms of Digest (RFC 7616, 3.3 and 6.1), the strongest first. */
enum DigestHash {
    SHA_512_256("SHA-512-256", "SHA-512/256"),
    SHA_256("SHA-256", "SHA-256"),
    MD5("MD5", "MD5"),
    UNKNOWN("", "");

    private final String token;
    private final String name;

    DigestHash(String token, String name) {
        this.token = token;
        this.name = name;
    }

    /** MD5 if the challenge names no algorithm; the variants with {@code -sess} are not supported. */
    static DigestHash of(Challenge challenge) {
        String given = challenge.parameters().getOrDefault("algorithm", MD5.token);
        for (DigestHash each : values()) {
            if (each != UNKNOWN && each.token.equalsIgnoreCase(given)) {
                return each;
            }
        }
        return UNKNOWN;
    }

    String token() {
        return token;
    }

    /** In hexadecimal digits. */
    String hex(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(name).digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK does not provide " + name, e);
        }
    }
}
