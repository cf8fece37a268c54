package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.settings.Settings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that a front end may have ended elsewhere than this server would: what follows them is never served. */
class Http1SmugglingTest {

    private static final String SMUGGLED = "GET /smuggled HTTP/1.1~Host: h~~";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 6~Transfer-Encoding: chunked~~0~~",
                "Transfer-Encoding: chunked~Content-Length: 6~~0~~",
                "Content-Length: 0~Content-Length: 32~~",
                "Content-Length: 0, 32~~",
                "Content-Length : 32~~",
                "Content-Length: +32~~",
                "Content-Length: 0x20~~",
                "Content-Length:~ 32~~",
                "Content-Length: 32\n~~",
                "X: y\nContent-Length: 32~~",
                "X: y\rContent-Length: 32~~",
                "Content-Length: 32~content-length: 0~~",
                "X: y~ Content-Length: 32~~",
                "Host: other~Content-Length: 0~~",
                "Connection: close~Content-Length: 0~~",
                "Expect: 100-continue, x~Content-Length: 32~~",
                "Transfer-Encoding : chunked~~0~~",
                "Transfer-Encoding: xchunked~~0~~",
                "Transfer-Encoding: identity~~0~~",
                "Transfer-Encoding: chunked, identity~~0~~",
                "Transfer-Encoding: identity, chunked~~0~~",
                "Transfer-Encoding: chunked~Transfer-Encoding: x~~0~~",
                "Transfer-Encoding: chunked~Transfer-Encoding: chunked~~0~~",
                "Transfer-Encoding: chunked\u0000~~0~~",
                "Transfer-Encoding: \u000bchunked~~0~~",
                "Transfer-Encoding:~ chunked~~0~~",
                "Transfer-Encoding: chunked~~0\n\n",
                "Transfer-Encoding: chunked~~0\n~",
                "Transfer-Encoding: chunked~~0 ~~",
                "Transfer-Encoding: chunked~~+0~~",
                "Transfer-Encoding: chunked~~0x0~~",
                "Transfer-Encoding: chunked~~0_0~~",
                "Transfer-Encoding: chunked~~0;\u0000~~",
                "Transfer-Encoding: chunked~~0~X : y~~",
                "Transfer-Encoding: chunked~~0~X: y~ z~~",
                "Transfer-Encoding: chunked~~1~ab~0~~",
                "Transfer-Encoding: chunked~~1\na~0~~",
                "Transfer-Encoding: chunked~~10000000000000000~~",
                "Transfer-Encoding: chunked~~1;\nx~a~0~~",
                "Transfer-Encoding: chunked~~0~X: y\n~~"
            })
    void servesNothingThatFollows(String rest) {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Settings.DEFAULTS)) {
            http.receive("POST /first HTTP/1.1~Host: h~" + rest + SMUGGLED);
            long smuggled = http.requests.stream()
                    .filter(request -> request.path().decoded().equals("/smuggled"))
                    .count();
            assertEquals(0, smuggled);
            assertTrue(http.connection.isFinished());
            http.connection.receiveEnd();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Transfer-Encoding: chunked~~0~~", "Content-Length: 0~~", "Content-Length: 0, 32~~"})
    void servesNothingThatFollowsAnOldRequest(String rest) {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Settings.DEFAULTS)) {
            http.receive("POST /first HTTP/1.0~" + rest + SMUGGLED);
            assertTrue(http.requests.stream()
                    .noneMatch(request -> request.path().decoded().equals("/smuggled")));
            assertTrue(http.connection.isFinished());
            http.connection.receiveEnd();
        }
    }
}
