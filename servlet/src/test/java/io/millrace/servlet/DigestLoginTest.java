package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.identity.DigestAlgorithm;
import io.millrace.servlet.identity.UsersFile;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import io.millrace.servlet.security.LoginOptions;
import io.millrace.settings.Settings;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** DIGEST on a real server (RFC 7616). */
@OnDefaultCarriers
final class DigestLoginTest {

    private final Carrier carrier;

    private static final Pattern PARAMETER = Pattern.compile("(\\w+\\*?)=(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([^,]*))");

    @TempDir
    Path directory;

    DigestLoginTest(Carrier carrier) {
        this.carrier = carrier;
    }

    @ParameterizedTest
    @EnumSource(DigestAlgorithm.class)
    void admitsWhoAnswersTheChallenge(DigestAlgorithm algorithm) throws Exception {
        try (Deployed app = deploy(Settings.DEFAULTS)) {
            Map<String, String> challenge = challenge(app, algorithm);
            assertEquals(
                    200,
                    send(app, answer(challenge, algorithm, "ann", "right", 1)).statusCode());
            assertEquals(
                    "ann DIGEST true",
                    send(app, answer(challenge, algorithm, "ann", "right", 2)).body());
        }
    }

    @Test
    void offersTheBetterAlgorithmFirst() throws Exception {
        try (Deployed app = deploy(Settings.DEFAULTS)) {
            List<String> offered = app.get("/app/x").headers().allValues("WWW-Authenticate");
            assertEquals(2, offered.size());
            assertTrue(offered.get(0).contains("algorithm=SHA-256"), offered.get(0));
            assertTrue(offered.get(1).contains("algorithm=MD5"), offered.get(1));
            for (String challenge : offered) {
                assertTrue(challenge.startsWith("Digest realm=\"r \\\"1\\\"\", qop=\"auth\""), challenge);
                assertFalse(challenge.contains("stale"), challenge);
            }
        }
    }

    @Test
    void letsNobodySendARequestTwice() throws Exception {
        try (Deployed app = deploy(Settings.DEFAULTS)) {
            Map<String, String> challenge = challenge(app, DigestAlgorithm.MD5);
            String second = answer(challenge, DigestAlgorithm.MD5, "ann", "right", 2);
            String first = answer(challenge, DigestAlgorithm.MD5, "ann", "right", 1);
            assertEquals(200, send(app, second).statusCode());
            assertEquals(200, send(app, first).statusCode(), "requests side by side may overtake each other");
            for (String again : List.of(first, second)) {
                HttpResponse<String> replayed = send(app, again);
                assertEquals(401, replayed.statusCode());
                assertTrue(isStale(replayed));
            }
        }
    }

    @Test
    void takesANonceNoLongerThanItIsValid() throws Exception {
        try (Deployed app = deploy(Settings.DEFAULTS
                .with(LoginOptions.NONCE_VALIDITY, Duration.ZERO)
                .with(LoginOptions.ALGORITHMS, List.of(DigestAlgorithm.MD5)))) {
            Map<String, String> challenge = challenge(app, DigestAlgorithm.MD5);
            HttpResponse<String> late = send(app, answer(challenge, DigestAlgorithm.MD5, "ann", "right", 1));
            assertEquals(401, late.statusCode());
            assertTrue(isStale(late), "the browser need not ask its user again");
            assertFalse(isStale(send(app, answer(challenge, DigestAlgorithm.MD5, "ann", "wrong", 1))));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "username=\"ann\" | username=\"bob\"",
                "opaque=\" | opaque=\"0",
                "uri=\"/app/x\" | uri=\"/app/y\"",
                "qop=auth | qop=auth-int",
                "qop=auth, | ''",
                "realm=\" | realm=\"x",
                "nc=00000001 | nc=1",
                "nc=00000001 | nc=00000002",
                "algorithm=MD5 | algorithm=SHA-512",
                "algorithm=MD5 | algorithm=MD5, algorithm=MD5",
                "response=\" | response=\"0",
                "cnonce=\"c\" | cnonce=\"d\"",
                "nonce=\" | nonce=\"A",
                "Digest  | Basic ",
                "cnonce=\"c\" | cnonce=\"c",
            })
    void refusesWhatDoesNotFit(String part, String instead) throws Exception {
        try (Deployed app = deploy(Settings.DEFAULTS)) {
            Map<String, String> challenge = challenge(app, DigestAlgorithm.MD5);
            String right = answer(challenge, DigestAlgorithm.MD5, "ann", "right", 1);
            String wrong = right.replace(part, instead);
            assertNotEquals(right, wrong);
            assertEquals(401, send(app, wrong).statusCode());
            assertEquals(200, send(app, right).statusCode(), "the count was not used up");
        }
    }

    @Test
    void knowsNamesBeyondAscii() throws Exception {
        try (Deployed app = deploy(Settings.DEFAULTS)) {
            Map<String, String> challenge = challenge(app, DigestAlgorithm.SHA_256);
            String answer = answer(challenge, DigestAlgorithm.SHA_256, "jörg", "pässwort", 1)
                    .replace("username=\"jörg\"", "username*=UTF-8''j%C3%B6rg");
            assertEquals("jörg DIGEST true", send(app, answer).body());
        }
    }

    @Test
    void admitsNoProofOfOneMethodForAnother() throws Exception {
        try (Deployed app = deploy(Settings.DEFAULTS)) {
            Map<String, String> challenge = challenge(app, DigestAlgorithm.MD5);
            String answer = answer(challenge, DigestAlgorithm.MD5, "ann", "right", 1);
            assertEquals(
                    401,
                    app.send(app.request("/app/x")
                                    .header("Authorization", answer)
                                    .DELETE())
                            .statusCode());
        }
    }

    private static boolean isStale(HttpResponse<String> answer) {
        return answer.headers().firstValue("WWW-Authenticate").orElse("").contains("stale=true");
    }

    private static HttpResponse<String> send(Deployed app, String authorization) throws Exception {
        return app.send(app.request("/app/x").header("Authorization", authorization));
    }

    private static Map<String, String> challenge(Deployed app, DigestAlgorithm algorithm) throws Exception {
        String challenge = app.get("/app/x").headers().allValues("WWW-Authenticate").stream()
                .filter(offered -> offered.contains("algorithm=" + algorithm.token()))
                .findFirst()
                .orElseThrow();
        Map<String, String> values = new TreeMap<>();
        Matcher parameters = PARAMETER.matcher(challenge.substring("Digest ".length()));
        while (parameters.find()) {
            String quoted = parameters.group(2);
            values.put(parameters.group(1), quoted == null ? parameters.group(3) : quoted.replace("\\", ""));
        }
        return values;
    }

    private static String answer(
            Map<String, String> challenge, DigestAlgorithm algorithm, String name, String password, int count) {
        String realm = challenge.getOrDefault("realm", "");
        String nonce = challenge.getOrDefault("nonce", "");
        String counted = String.format("%08x", count);
        String response = algorithm.hex(algorithm.hex(name + ":" + realm + ":" + password) + ":" + nonce + ":" + counted
                + ":c:auth:" + algorithm.hex("GET:/app/x"));
        return "Digest username=\"" + name + "\", realm=\"" + realm.replace("\"", "\\\"") + "\", nonce=\"" + nonce
                + "\", uri=\"/app/x\", cnonce=\"c\", nc=" + counted + ", qop=auth, response=\"" + response
                + "\", opaque=\"" + challenge.get("opaque") + "\", algorithm=" + algorithm.token();
    }

    private Deployed deploy(Settings settings) throws Exception {
        Path users = Files.writeString(directory.resolve("users.xml"), """
                <tomcat-users>
                  <user username="ann" password="right" roles="admin"/>
                  <user username="jörg" password="pässwort" roles="admin"/>
                </tomcat-users>
                """);
        return Deployed.on(
                carrier,
                WebApplication.builder("/app")
                        .servlet(
                                "who",
                                Serving.with((request, response) -> {
                                    response.setCharacterEncoding("UTF-8");
                                    response.getWriter()
                                            .print(request.getRemoteUser() + " " + request.getAuthType() + " "
                                                    + request.isUserInRole("admin"));
                                }),
                                "/")
                        .model(model -> {
                            model.loginConfig = new LoginConfigModel("DIGEST", "r \"1\"", null, null);
                            model.securityConstraints.add(new SecurityConstraintModel(
                                    List.of(new Resources(List.of("/*"), List.of(), List.of())),
                                    List.of("admin"),
                                    false));
                        })
                        .build()
                        .with(settings)
                        .identities(UsersFile.read(users)));
    }
}
