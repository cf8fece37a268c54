package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.RawClient;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** An application that answers with an odd status, and a request to no application at all … */
@OnDefaultCarriers
class OddStatusTest {

    private final Carrier carrier;

    OddStatusTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private String answer(Serving.Action action, String request) throws IOException {
        try (Deployed app =
                        Deployed.on(carrier, WebApplication.builder("").servlet("odd", Serving.with(action), "/*"));
                RawClient client = RawClient.connect(app.port())) {
            client.send(request + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            return client.readTextToEnd();
        }
    }

    @Test
    void sendsNoBodyWith205() throws Exception {
        String answer = answer(
                (request, response) -> {
                    response.setStatus(205);
                    response.getWriter().print("to be dropped");
                },
                "GET /");
        assertTrue(answer.startsWith("HTTP/1.1 205 "), answer);
        assertTrue(answer.contains("Content-Length: 0\r\n"), answer);
        assertFalse(answer.contains("Transfer-Encoding"), answer);
        assertTrue(answer.endsWith("\r\n\r\n"), answer);
    }

    @Test
    void answers500WhereTheStatusIsNone() throws Exception {
        assertTrue(
                answer((request, response) -> response.setStatus(99), "GET /").startsWith("HTTP/1.1 500 "));
        assertTrue(
                answer((request, response) -> response.sendError(99), "GET /").startsWith("HTTP/1.1 500 "));
        assertTrue(
                answer((request, response) -> response.setStatus(1000), "GET /").startsWith("HTTP/1.1 500 "));
    }

    @Test
    void answersForTheServerWhatNoApplicationIsAsked() throws Exception {
        String answer = answer((request, response) -> response.sendError(404), "OPTIONS *");
        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        assertTrue(answer.contains("Allow: GET, HEAD, POST, PUT, DELETE, OPTIONS\r\n"), answer);
        assertEquals("", answer.substring(answer.indexOf("\r\n\r\n") + 4));
    }
}
