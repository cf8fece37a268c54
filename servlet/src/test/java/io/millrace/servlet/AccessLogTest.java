package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.Server;
import io.millrace.handler.AccessLog;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The access log of an application … */
final class AccessLogTest {

    @Test
    void writesTheSessionOfARequest(@TempDir Path directory) throws Exception {
        WebApplicationBuilder application = WebApplication.builder("")
                .servlet(
                        "session",
                        Serving.with((request, response) ->
                                response.getWriter().print(request.getSession().getId())),
                        "/session")
                .servlet("none", Serving.with((request, response) -> response.setStatus(204)), "/none");
        AccessLog log = AccessLog.builder()
                .directory(directory)
                .prefix("test")
                .fileDateFormat("")
                .pattern("%U %S")
                .open();
        String id;
        try (Server server = Carrier.NIO
                .server()
                .accessLog(log)
                .application(application.build())
                .start()) {
            id = get(server.port(), "/session");
            get(server.port(), "/none");
        }
        assertEquals(
                List.of("/none -", "/session " + id),
                Files.readAllLines(directory.resolve("test")).stream().sorted().toList());
    }

    private static String get(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
