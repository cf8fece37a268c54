package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@OnEachCarrier
class TrailersTest {

    private final Carrier carrier;

    TrailersTest(Carrier carrier) {
        this.carrier = carrier;
    }

    @Test
    void areThereOnceTheBodyIsRead() throws Exception {
        try (Deployed app = Deployed.on(
                        carrier,
                        WebApplication.builder("")
                                .servlet(
                                        "trailers",
                                        Serving.with((request, response) -> {
                                            assertFalse(request.isTrailerFieldsReady());
                                            assertThrows(IllegalStateException.class, request::getTrailerFields);
                                            request.getInputStream().readAllBytes();
                                            assertTrue(request.isTrailerFieldsReady());
                                            response.getWriter().print(request.getTrailerFields());
                                        }),
                                        "/"));
                RawClient client = RawClient.connect(app.port())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
            client.send("1\r\nx\r\n0\r\nX-Sum: 17\r\n\r\n");
            String answer = client.readTextToEnd();
            assertTrue(answer.startsWith("HTTP/1.1 200") && answer.endsWith("{x-sum=17}"), answer);
        }
    }

    /** A sum that is known when all is written. */
    private Deployed summing() throws IOException {
        return Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet(
                                "sum",
                                Serving.with((request, response) -> {
                                    CRC32 sum = new CRC32();
                                    assertNull(response.getTrailerFields());
                                    response.setTrailerFields(() -> Map.of(
                                            "X-Sum",
                                            Long.toString(sum.getValue()),
                                            "Content-Length",
                                            "0",
                                            "X-Split",
                                            "a\r\nb"));
                                    byte[] line = "0123456789\n".getBytes(StandardCharsets.ISO_8859_1);
                                    for (int i = Integer.parseInt(request.getParameter("lines")); i > 0; i--) {
                                        response.getOutputStream().write(line);
                                        sum.update(line);
                                    }
                                }),
                                "/sum")
                        .servlet(
                                "refused",
                                Serving.with((request, response) -> {
                                    assertThrows(NullPointerException.class, () -> response.setTrailerFields(null));
                                    response.setContentLength(4);
                                    assertThrows(IllegalStateException.class, () -> response.setTrailerFields(Map::of));
                                    response.reset();
                                    response.setTrailerFields(Map::of);
                                    response.reset();
                                    assertNull(response.getTrailerFields());
                                    response.flushBuffer();
                                    assertThrows(IllegalStateException.class, () -> response.setTrailerFields(Map::of));
                                }),
                                "/refused")
                        .servlet(
                                "failing",
                                Serving.with((request, response) -> {
                                    response.setTrailerFields(() -> {
                                        throw new IllegalStateException("no trailers");
                                    });
                                    response.getWriter().print("begun");
                                }),
                                "/failing"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100_000})
    void followAResponseWhoseClientAsksForThem(int most) throws Exception {
        int lines = Math.min(most, carrier == Carrier.DRIP ? 2000 : most);
        try (Deployed app = summing();
                RawClient client = RawClient.connect(app.port())) {
            client.send("GET /sum?lines=" + lines
                    + " HTTP/1.1\r\nHost: x\r\nTE: trailers\r\nConnection: TE, close\r\n\r\n");
            String answer = client.readTextToEnd();
            CRC32 sum = new CRC32();
            sum.update("0123456789\n".repeat(lines).getBytes(StandardCharsets.ISO_8859_1));
            assertTrue(answer.contains("Transfer-Encoding: chunked\r\n"), "chunked");
            String end = answer.substring(answer.lastIndexOf("\r\n0\r\n"));
            assertTrue(end.contains("X-Sum: " + sum.getValue() + "\r\n"), end);
            assertTrue(end.contains("X-Split: a  b\r\n"), end);
            assertFalse(end.contains("Content-Length"), end);
            assertTrue(end.endsWith("\r\n\r\n"), end);
        }
    }

    @Test
    void followWhetherOrNotTheClientHasAsked() throws Exception {
        try (Deployed app = summing();
                RawClient client = RawClient.connect(app.port())) {
            client.send("GET /sum?lines=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            String answer = client.readTextToEnd();
            String end = answer.substring(answer.lastIndexOf("\r\n0\r\n"));
            assertTrue(end.contains("X-Sum: "), answer);
        }
    }

    @Test
    void areRefusedWhereTheyCantBe() throws Exception {
        try (Deployed app = summing()) {
            assertEquals(200, app.get("/refused").statusCode());
        }
    }

    @Test
    void cutAResponseWhoseTrailersFail() throws Exception {
        try (Deployed app = summing();
                RawClient client = RawClient.connect(app.port())) {
            client.send("GET /failing HTTP/1.1\r\nHost: x\r\nTE: trailers\r\n\r\n");
            client.awaitClose();
        }
    }

    @Test
    void areNoneWithoutAChunkedBody() throws Exception {
        try (Deployed app = Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet(
                                "trailers",
                                Serving.with((request, response) -> response.getWriter()
                                        .print(request.isTrailerFieldsReady() + "" + request.getTrailerFields())),
                                "/"))) {
            assertEquals("true" + Map.of(), app.body("/"));
        }
    }
}
