package io.millrace.forwarded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.net.AddressSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forwarded … The peer is 10.0.0.1, the request to origin:8080. */
class ForwardedFieldTest {

    private static final Relay RELAY = ForwardedField.trusting(AddressSet.parse("10.0.0.0/8, fd00::/8"));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            for=203.0.113.9                                          | 203.0.113.9 http://origin:8080
            For="[2001:db8::7]:4711"; Proto=HTTPS ;host=www.example.org | 2001:db8:0:0:0:0:0:7 https://www.example.org secure
            for="203.0.113.9:80";by=10.0.0.1;proto=http              | 203.0.113.9 http://origin:8080
            for=1.1.1.1;proto=https, for=203.0.113.9                 | 203.0.113.9 http://origin:8080
            for=203.0.113.9;proto=https;host="a:1", for=10.3.3.3;proto=http | 203.0.113.9 https://a:1 secure
            for=10.3.3.3;proto=https                                 | 10.3.3.3 https://origin:8080 secure
            for=unknown;proto=https                                  | 10.0.0.1 https://origin:8080 secure
            for=_hidden;proto=https, for="[fd00::1]"                 | fd00:0:0:0:0:0:0:1 https://origin:8080 secure
            proto=https                                              | 10.0.0.1 https://origin:8080 secure
            for="\\203.0.113.9"                                      | 203.0.113.9 http://origin:8080
            for=203.0.113.9;host="a b";proto=gopher                  | 203.0.113.9 http://origin:8080
            for=203.0.113.9;ext=x;                                   | 203.0.113.9 http://origin:8080
            """)
    void tellsWhatTheLastOneBelievedSays(String field, String expected) {
        assertEquals(
                expected,
                Front.passing("Forwarded", field.replace("\\\\", "\\")).through(RELAY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "for",
                "for=",
                "=a",
                "for=1.1.1.1;for=2.2.2.2",
                "for=\"1.1.1.1",
                "for=\"\\",
                "for=1.1.1.1 x",
                "for = 1.1.1.1"
            })
    void isIgnoredIfTheLastElementIsMalformed(String field) {
        assertEquals("-", Front.passing("Forwarded", field).through(RELAY));
    }

    @Test
    void isNotSwallowedByAQuoteThatAClientLeftOpen() {
        assertEquals(
                "203.0.113.9 http://origin:8080",
                Front.passing("Forwarded", "for=\"", "Forwarded", "for=203.0.113.9")
                        .through(RELAY));
        assertEquals(
                "203.0.113.9 http://origin:8080",
                Front.passing("Forwarded", "for=\"1.1.1.1, for=203.0.113.9").through(RELAY));
    }

    @Test
    void stopsBeforeWhatIsMalformed() {
        assertEquals(
                "10.3.3.3 http://origin:8080",
                Front.passing("Forwarded", "for=1.1.1.1 nonsense, for=10.3.3.3").through(RELAY));
    }

    @Test
    void isNotBelievedFromAnybodyElse() {
        assertEquals(
                "-", Front.passing("Forwarded", "for=1.1.1.1").at("203.0.113.1").through(RELAY));
    }

    @Test
    void isNotMixedWithXForwardedFor() {
        assertEquals("-", Front.passing("X-Forwarded-For", "1.1.1.1").through(RELAY));
    }
}
