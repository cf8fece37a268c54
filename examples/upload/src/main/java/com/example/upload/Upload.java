package com.example.upload;

import io.millrace.Server;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.handler.PathRouter;
import io.millrace.handler.Responses;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/** Receives files of any size; the page shows how far each is. */
public final class Upload {

    private Upload() {}

    // tag::upload
    static void receive(HttpExchange exchange, Path directory) throws IOException {
        Path file = Files.createTempFile(directory, "upload", "");
        try (InputStream body = ExchangeInputStream.of(exchange)) { // as it arrives: the client waits for the disk
            long size = Files.copy(body, file, StandardCopyOption.REPLACE_EXISTING);
            Responses.text(exchange, 201, size + " bytes in " + file + "\n");
        } catch (IOException left) { // the client has gone: keep no half
            Files.deleteIfExists(file);
            throw left;
        }
    }

    static Server start(int port, Path directory) throws IOException {
        byte[] page = page();
        PathRouter router = PathRouter.builder()
                .exact("/", exchange -> Responses.bytes(exchange, 200, "text/html;charset=utf-8", page))
                .exact("PUT", "/files", exchange -> receive(exchange, directory))
                .build();
        return Server.builder().port(port).handler(router).start();
    }
    // end::upload

    private static byte[] page() throws IOException {
        try (InputStream page = Objects.requireNonNull(Upload.class.getResourceAsStream("index.html"))) {
            return page.readAllBytes();
        }
    }

    public static void main(String[] args) throws IOException {
        Server server = start(args.length == 0 ? 8080 : Integer.parseInt(args[0]), Files.createTempDirectory("uploads"));
        System.out.println("http://localhost:" + server.port() + "/");
        server.awaitStop();
    }
}
