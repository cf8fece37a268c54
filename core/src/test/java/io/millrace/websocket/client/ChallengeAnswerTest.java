package io.millrace.websocket.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The answer to a challenge … */
final class ChallengeAnswerTest {

    private static final Credentials ANN = new Credentials("ann", "secret", null);

    /** The example of RFC 7616, 3.9.1. */
    @ParameterizedTest
    @CsvSource({
        "MD5,8ca523f5e9506fed4657c9700eebdbec",
        "SHA-256,753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
    })
    void isThatOfTheSpecification(String algorithm, String response) {
        Challenge challenge = Challenge.parse(List.of("Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\","
                        + " algorithm=" + algorithm + ", nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\","
                        + " opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""))
                .get(0);
        String field = new Credentials.DigestAnswer(
                        challenge,
                        new Credentials("Mufasa", "Circle of Life", null),
                        "GET",
                        "/dir/index.html",
                        "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
                .field();
        assertTrue(field.contains("response=\"" + response + '"'), field);
        assertTrue(field.endsWith("opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""), field);
    }

    @Test
    void takesTheStrongestDigestBeforeBasic() {
        List<String> fields = List.of(
                "Basic realm=\"a, b\", charset=\"UTF-8\"",
                "Digest realm=\"r\", nonce=\"1\", qop=\"auth\", algorithm=MD5, DIGEST realm=\"r\", nonce=\"2\","
                        + " qop=\"auth\", algorithm=SHA-256");
        String answer = ANN.answer(Challenge.parse(fields), "GET", "/");
        assertTrue(String.valueOf(answer).contains("algorithm=SHA-256, nonce=\"2\""), answer);
        assertEquals("Basic YW5uOnNlY3JldA==", ANN.answer(Challenge.parse(fields.subList(0, 1)), "GET", "/"));
    }

    @Test
    void goesToTheNamedRealmOnly() {
        Credentials mine = new Credentials("ann", "secret", "mine");
        assertNull(mine.answer(Challenge.parse(List.of("Basic realm=\"other\"")), "GET", "/"));
        assertEquals(
                "Basic YW5uOnNlY3JldA==", mine.answer(Challenge.parse(List.of("Basic realm=\"mine\"")), "GET", "/"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Negotiate",
                "NTLM abc==",
                "Digest realm=\"r\", nonce=\"1\", qop=\"auth-int\"",
                "Digest realm=\"r\", qop=\"auth\"",
                "Digest realm=\"r\", nonce=\"1\", qop=\"auth\", algorithm=MD4",
                "Basic realm=\"unfinished",
                "Basic realm=\"twice\", realm=\"twice\"",
                "Basic realm=",
                "realm=\"r\"",
                "Basic\"r\"",
                "Basic realm=\"r\" x=1"
            })
    void isMissingWhereNoneIsPossible(String field) {
        assertNull(ANN.answer(Challenge.parse(List.of(field)), "GET", "/"));
    }

    @Test
    void encodesNamesBeyondAsciiForDigest() {
        List<Challenge> digest = Challenge.parse(List.of("Digest realm=\"r\", nonce=\"1\", qop=auth"));
        String answer = String.valueOf(new Credentials("J\u00e4s\u00f8n", "x", null).answer(digest, "GET", "/"));
        assertTrue(answer.startsWith("Digest username*=UTF-8''J%C3%A4s%C3%B8n, "), answer);
    }

    @Test
    void keepsThePasswordOutOfMessages() {
        assertFalse(ANN.toString().contains("secret"));
    }
}
