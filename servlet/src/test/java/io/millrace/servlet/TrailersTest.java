package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.RawClient;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Carrier.class)
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
