package com.example.proxy;

import io.millrace.Server;
import io.millrace.handler.Responses;
import io.millrace.proxy.ProxyApplication;
import java.io.IOException;

/** A reverse proxy before two back ends, which here are servers of the same program. */
public final class Proxy {

    private Proxy() {}

    // tag::proxy
    static Server backend(String name) throws IOException {
        return Server.builder()
                .port(0)
                .handler(exchange -> Responses.text(exchange, 200, "Hello from " + name + "\n"))
                .start();
    }

    static Server start(int port, Server... backends) throws IOException {
        String[] addresses = new String[backends.length];
        for (int i = 0; i < backends.length; i++) {
            addresses[i] = "http://localhost:" + backends[i].port();
        }
        return Server.builder()
                .port(port)
                .application(ProxyApplication.to(addresses)) // one after the other, and only those that answer
                .start();
    }
    // end::proxy

    public static void main(String[] args) throws IOException {
        Server server = start(args.length == 0 ? 8080 : Integer.parseInt(args[0]), backend("one"), backend("two"));
        System.out.println("http://localhost:" + server.port() + "/");
        server.awaitStop();
    }
}
