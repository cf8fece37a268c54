package io.millrace.websocket.client;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The response to a Digest challenge (RFC 7616, 3.4), with qop {@code auth}. Each nonce is used once.
 *
 * @param clientNonce unpredictable
 */
record DigestAnswer(Challenge challenge, Credentials credentials, String method, String target, String clientNonce) {

    private static final String COUNT = "00000001";
    private static final SecureRandom RANDOM = new SecureRandom();

    static DigestAnswer to(Challenge challenge, Credentials credentials, String method, String target) {
        byte[] nonce = new byte[16];
        RANDOM.nextBytes(nonce);
        return new DigestAnswer(
                challenge, credentials, method, target, HexFormat.of().formatHex(nonce));
    }

    /** The value of Authorization or Proxy-Authorization. */
    String field() {
        DigestHash hash = DigestHash.of(challenge);
        String realm = challenge.parameter("realm");
        String nonce = challenge.parameter("nonce");
        StringBuilder field = new StringBuilder("Digest ")
                .append(user())
                .append(", realm=")
                .append(quoted(realm))
                .append(", uri=")
                .append(quoted(target))
                .append(", algorithm=")
                .append(hash.token())
                .append(", nonce=")
                .append(quoted(nonce))
                .append(", nc=" + COUNT + ", cnonce=")
                .append(quoted(clientNonce))
                .append(", qop=auth, response=")
                .append(quoted(response(hash, realm, nonce)));
        if (challenge.parameters().containsKey("opaque")) {
            field.append(", opaque=").append(quoted(challenge.parameter("opaque")));
        }
        return field.toString();
    }

    private String response(DigestHash hash, String realm, String nonce) {
        String secret = hash.hex(credentials.user() + ':' + realm + ':' + credentials.password());
        String request = hash.hex(method + ':' + target);
        return hash.hex(String.join(":", secret, nonce, COUNT, clientNonce, "auth", request));
    }

    /** A name that is not ASCII is encoded in UTF-8 (RFC 7616, 3.4; RFC 8187). */
    private String user() {
        String user = credentials.user();
        if (user.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
            return "username=" + quoted(user);
        }
        StringBuilder encoded = new StringBuilder("username*=UTF-8''");
        HexFormat hex = HexFormat.of().withUpperCase();
        for (byte octet : user.getBytes(StandardCharsets.UTF_8)) {
            boolean plain =
                    octet >= '0' && octet <= '9' || octet >= 'A' && octet <= 'Z' || octet >= 'a' && octet <= 'z';
            if (plain) {
                encoded.append((char) octet);
            } else {
                encoded.append('%').append(hex.toHexDigits(octet));
            }
        }
        return encoded.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
