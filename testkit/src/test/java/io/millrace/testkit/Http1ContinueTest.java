package io.millrace.testkit;

import static io.millrace.http1.Http1Options.CONTINUE_TIMING;
import static io.millrace.testkit.Http1Fixture.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http1.ContinueTiming;
import io.millrace.settings.Settings;
import org.junit.jupiter.api.Test;

/** A client that waits for 100 before it sends its body … */
class Http1ContinueTest {

    @Test
    void asksForTheBodyBeforeTheHandlerDoesIfTold() {
        String upload = "POST /a HTTP/1.1~Host: h~Content-Length: 3~Expect: 100-continue~~";
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive(upload);
            assertTrue(http.sent().startsWith("HTTP/1.1 200"));
        }
        Settings early = Http1Fixture.OPTIONS.with(CONTINUE_TIMING, ContinueTiming.IMMEDIATELY);
        try (Http1Fixture http = Http1Fixture.echoingPaths(early)) {
            http.receive(upload);
            assertTrue(http.sent().startsWith("HTTP/1.1 100 Continue~~HTTP/1.1 200"));
        }
    }

    @Test
    void doesNotSendContinueWhenTheBodyIsThereAlready() {
        try (Http1Fixture http = new Http1Fixture(
                Http1Fixture.OPTIONS, (request, stream) -> answer(stream, Http1Fixture.readAll(stream)))) {
            http.receive("POST / HTTP/1.1~Host: h~Content-Length: 5~Expect: 100-continue~~hello");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 5~~hello", http.sent());
        }
    }

    @Test
    void closesIfItIsUnknownWhetherTheBodyWillCome() {
        try (Http1Fixture http = Http1Fixture.echoingPaths(Http1Fixture.OPTIONS)) {
            http.receive("POST /a HTTP/1.1~Host: h~Content-Length: 5~Expect: 100-continue~~");
            assertEquals("HTTP/1.1 200 OK~Content-Length: 2~Connection: close~~/a", http.sent());
            http.connection.receiveEnd();
            assertTrue(http.connection.isClosed());
        }
    }
}
