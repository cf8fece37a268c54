package io.millrace.websocket.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
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
}
