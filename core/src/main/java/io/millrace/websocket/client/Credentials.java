package io.millrace.websocket.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.text.Digests;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A user name and password for one server or proxy.
 *
 * @param realm the only realm to which they are sent; null for any
 */
public record Credentials(
        String user, String password, @Nullable String realm) {

    /**
     * The value of Authorization or Proxy-Authorization for one of these challenges: Digest with the strongest
     * algorithm, otherwise Basic, which sends the password unencrypted unless the connection is secure.
     *
     * @param method of the request
     * @param target as in the request line
     * @return null if no challenge is supported
     */
    @Nullable
    String answer(List<Challenge> challenges, String method, String target) {
        List<Challenge> matching = challenges.stream()
                .filter(challenge -> realm == null || realm.equals(challenge.parameter("realm")))
                .toList();
        Challenge digest = matching.stream()
                .filter(Credentials::isDigest)
                .min(Comparator.comparing(DigestHash::of))
                .orElse(null);
        if (digest != null) {
            return DigestAnswer.to(digest, this, method, target).field();
        }
        // a colon would terminate the user name (RFC 7617, 2)
        boolean basic = user.indexOf(':') < 0
                && matching.stream().anyMatch(each -> each.scheme().equals("basic"));
        return basic ? "Basic " + Base64.getEncoder().encodeToString((user + ':' + password).getBytes(UTF_8)) : null;
    }

    private static boolean isDigest(Challenge challenge) {
        return challenge.scheme().equals("digest")
                && DigestHash.of(challenge) != DigestHash.UNKNOWN
                && !challenge.parameter("nonce").isEmpty()
                && Arrays.stream(challenge.parameter("qop").split(",", -1))
                        .anyMatch(quality -> quality.strip().equalsIgnoreCase("auth"));
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "credentials of " + user;
    }

    /**
     * The response to a Digest challenge (RFC 7616, 3.4), with qop {@code auth}. Each nonce is used once.
     *
     * @param clientNonce unpredictable
     */
    record DigestAnswer(
            Challenge challenge, Credentials credentials, String method, String target, String clientNonce) {

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
            for (byte value : user.getBytes(StandardCharsets.UTF_8)) {
                boolean plain =
                        value >= '0' && value <= '9' || value >= 'A' && value <= 'Z' || value >= 'a' && value <= 'z';
                if (plain) {
                    encoded.append((char) value);
                } else {
                    encoded.append('%').append(hex.toHexDigits(value));
                }
            }
            return encoded.toString();
        }

        private static String quoted(String text) {
            return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
    }

    /** The algorithms of Digest (RFC 7616, 3.3 and 6.1), the strongest first. */
    private enum DigestHash {
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
            return Digests.hex(name, text);
        }
    }
}
