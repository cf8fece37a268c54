package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HelloTest {

    @Test
    void answersFromAServlet() throws Exception {
        byte[] hello = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
        try (Deployed app = Deployed.of(WebApplication.builder("/bench")
                .servlet(
                        "hello",
                        Serving.with((request, response) -> {
                            response.setContentType("text/plain");
                            response.setContentLength(hello.length);
                            response.getOutputStream().write(hello);
                        }),
                        "/hello"))) {
            var response = app.get("/bench/hello");
            assertEquals(200, response.statusCode());
            assertEquals("Hello, World!", response.body());
            assertEquals(
                    "text/plain", response.headers().firstValue("Content-Type").orElse(""));
        }
    }
}
