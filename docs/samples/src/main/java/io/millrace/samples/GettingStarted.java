package io.millrace.samples;

import io.millrace.Server;
import io.millrace.handler.Responses;
import io.millrace.servlet.WebApplication;
import java.io.IOException;
import java.nio.file.Path;

/** The first page of the guide. */
final class GettingStarted {

    private GettingStarted() {}

    static Server hello() throws IOException {
        // tag::hello
        Server server = Server.builder()
                .port(0) // 0 picks a free port
                .handler(exchange -> Responses.text(exchange, 200, "Hello!\n"))
                .start();
        // end::hello
        return server;
    }

    static void use(Server server) {
        // tag::address
        System.out.println("Try http://localhost:" + server.port() + "/");
        // end::address
    }

    static Server war(Path file) throws IOException {
        // tag::war
        Server server = Server.builder()
                .port(0)
                .application(WebApplication.war(file).contextPath("/shop"))
                .start();
        // end::war
        return server;
    }
}
