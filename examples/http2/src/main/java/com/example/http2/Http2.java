package com.example.http2;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.connector.http2.Http2Protocol;
import io.millrace.handler.Responses;
import io.millrace.http1.Http1Protocol;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A server that speaks HTTP/2 with those who can, and HTTP/1.1 with others. */
public final class Http2 {

    private Http2() {}

    // tag::http2
    static Server start(int port, Path keystore, String password) throws IOException {
        Connector connector = Connector.builder()
                .port(port)
                .tls(TlsOptions.keystore(keystore, password)) // browsers speak HTTP/2 only with TLS
                .protocols(List.of( // the most preferred first
                        new Http2Protocol(Settings.DEFAULTS, "https"), new Http1Protocol(Settings.DEFAULTS, "https")))
                .build();
        return Server.builder()
                .connector(connector)
                .handler(exchange -> Responses.text(
                        exchange, 200, "Hello over " + exchange.request().version() + "\n"))
                .start();
    }
    // end::http2

    public static void main(String[] args) throws IOException {
        Server server = start(args.length == 0 ? 8443 : Integer.parseInt(args[0]), Path.of("server.p12"), "changeit");
        System.out.println("https://localhost:" + server.port() + "/");
        server.awaitStop();
    }
}
