package io.millrace.testkit;

import static io.millrace.protocol.HttpOptions.MAX_REQUEST_HEADER_SIZE;
import static io.millrace.protocol.HttpOptions.MAX_RESPONSE_HEADER_SIZE;
import static io.millrace.protocol.ProtocolOptions.MAX_HEADER_COUNT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.settings.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A request that cannot be served … */
class Http1RefusalTest {

    private static final Settings SMALL = Settings.DEFAULTS
            .with(MAX_REQUEST_HEADER_SIZE, 256)
            .with(MAX_RESPONSE_HEADER_SIZE, 256)
            .with(MAX_HEADER_COUNT, 4);

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "400 ! nonsense~~",
                "400 ! GET / HTTP/1.1~~",
                "400 ! GET / HTTP/1.1~Host: h~ folded~~",
                "400 ! GET /%zz HTTP/1.1~Host: h~~",
                "400 ! GET http://other/ HTTP/1.1~Host: h~~",
                "400 ! POST / HTTP/1.1~Host: h~Content-Length: 1~Transfer-Encoding: chunked~~",
                "413 ! POST / HTTP/1.1~Host: h~Content-Length: 9999999999999999999~~",
                "417 ! POST / HTTP/1.1~Host: h~Expect: miracles~~",
                "431 ! GET / HTTP/1.1~Host: h~a:~b:~c:~d:~~",
                "501 ! POST / HTTP/1.1~Host: h~Transfer-Encoding: gzip, chunked~~",
                "505 ! GET / HTTP/3.0~Host: h~~",
            })
    void isAnsweredWithItsStatusAndNothingFollows(int status, String request) {
        try (Http1Fixture http = Http1Fixture.echoingPaths(SMALL)) {
            http.receive(request + "GET /next HTTP/1.1~Host: h~~");
            String sent = http.sent();
            assertTrue(sent.startsWith("HTTP/1.1 " + status + " "), sent);
            assertTrue(sent.contains("~Connection: close~"), sent);
            assertEquals(List.of(status), http.refusals);
            assertEquals(List.of(), http.requests);
            assertTrue(http.connection.isFinished());
            http.connection.receiveEnd();
        }
    }

    @Test
    void isRefusedAsSoonAsItsLineIsTooLong() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(SMALL)) {
            http.receive("GET /" + "a".repeat(251));
            assertTrue(http.sent().startsWith("HTTP/1.1 414 "), "without waiting for its end");
            http.connection.receiveEnd();
        }
    }

    @Test
    void isRefusedAsSoonAsItsHeadIsTooLarge() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(SMALL)) {
            String line = "GET / HTTP/1.1~Host: h~X: ";
            http.receive(line + "a".repeat(256 - line.replace("~", "\r\n").length()));
            assertTrue(http.sent().startsWith("HTTP/1.1 431 "), "without waiting for its end");
            http.connection.receiveEnd();
        }
    }
}
