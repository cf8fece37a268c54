package io.millrace.samples;

import io.millrace.Server;
import io.millrace.handler.Responses;
import java.io.IOException;
import java.time.Duration;

public final class Hello {

    public static void main(String[] args) throws IOException {
        Server.builder()
                .port(8080)
                .handler(exchange -> Responses.text(exchange, 200, "Hello\n"))
                .stopAtShutdown(Duration.ofSeconds(30)) // SIGTERM: completes the requests in progress
                .start();
    }
}
