package io.millrace.servlet.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.fuzz.Growth;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AuthParametersTest {

    @Test
    void readsTokensAndQuotedStrings() {
        assertEquals(
                Map.of("a", "1", "b", "x, \"y\" \\", "c", "", "d*", "UTF-8''%C3"),
                AuthParameters.parse("Digest", "digest  a=1 , B=\"x, \\\"y\\\" \\\\\",c=\"\",, d*=UTF-8''%C3 "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Digest",
                "Digest ",
                "Basic a=1",
                "Digesta=1",
                "Digest a",
                "Digest a=\"x",
                "Digest a=\"x\\",
                "Digest a=1, a=2",
                "Digest a=1, A=2",
                "Digest a=\"x\"y",
                "Digest =1",
                "Digest a=1 b=2"
            })
    void refusesTheRest(String field) {
        assertNull(AuthParameters.parse("Digest", field));
    }

    @Test
    void refusesWhatIsNotThere() {
        assertNull(AuthParameters.parse("Digest", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "=", "a", "a=", "\"", "\\", " ", "a,", "a b"})
    void readsInLinearTime(String piece) {
        Growth.assertLinear(
                200_000 / piece.length(),
                count -> "Digest a=b, c=" + piece.repeat(count),
                field -> AuthParameters.parse("Digest", field));
    }
}
