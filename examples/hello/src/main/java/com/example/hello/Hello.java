package com.example.hello;

import io.millrace.Server;
import io.millrace.handler.Responses;
import java.io.IOException;

/** A server in four lines. */
public final class Hello {

    private Hello() {}

    // tag::hello
    static Server start(int port) throws IOException {
        return Server.builder()
                .port(port)
                .handler(exchange -> Responses.text(exchange, 200, "Hello!\n"))
                .start();
    }
    // end::hello

    public static void main(String[] args) throws IOException {
        Server server = start(args.length == 0 ? 8080 : Integer.parseInt(args[0]));
        System.out.println("http://localhost:" + server.port() + "/");
        server.awaitStop();
    }
}
