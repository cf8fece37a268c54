package com.example.rules;

import io.millrace.Server;
import io.millrace.handler.Responses;
import io.millrace.rules.Rules;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** A site behind the rules of a file. */
public final class Site {

    private Site() {}

    // tag::rules
    static Server start(int port) throws IOException {
        Rules rules = Rules.parse(text("site.rules")); // a mistake stops the start, with its line and column
        return Server.builder()
                .port(port)
                .handler(rules.before(exchange -> Responses.text(exchange, 200, "The site\n")))
                .start();
    }
    // end::rules

    private static String text(String resource) throws IOException {
        try (InputStream in = Objects.requireNonNull(Site.class.getResourceAsStream(resource))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    public static void main(String[] args) throws IOException {
        Server server = start(args.length == 0 ? 8080 : Integer.parseInt(args[0]));
        System.out.println("http://localhost:" + server.port() + "/");
        server.awaitStop();
    }
}
