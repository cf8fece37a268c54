package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.VirtualHost;
import io.millrace.handler.AccessLog;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request that HTTP/1.1 refuses … */
class RefusedRequestsTest {

    @TempDir
    Path directory;

    private AccessLog log(String name) throws IOException {
        return AccessLog.builder()
                .pattern("\"%r\" %s")
                .prefix(name)
                .directory(directory)
                .fileDateFormat("")
                .open();
    }

    @Test
    void isInTheAccessLogsOfTheServerAndOfItsDefaultHostWithItsRequestLine() throws Exception {
        VirtualHost host = VirtualHost.named("localhost").accessLog(log("host"));
        try (Server server = Carrier.byDefault()
                .server()
                .defaultHost("localhost")
                .virtualHost(host)
                .accessLog(log("server"))
                .start()) {
            refuse(server, "GET /a HTTP/1.1\r\n\r\n", 400);
            refuse(server, "GET /b HTTP/3.1\r\nHost: x\r\n\r\n", 505);
            refuse(server, "GET /\u0001 HTTP/1.1\r\nHost: x\r\n\r\n", 400);
            refuse(server, "GET /c HTTP/1.1\r\nHost: x\r\nX: " + "x".repeat(9000) + "\r\n\r\n", 431);
        }
        List<String> expected = List.of(
                "\"GET /a HTTP/1.1\" 400",
                "\"GET /b HTTP/3.1\" 505",
                "\"GET /\\x01 HTTP/1.1\" 400",
                "\"GET /c HTTP/1.1\" 431");
        assertEquals(expected, Files.readAllLines(directory.resolve("host")));
        assertEquals(expected, Files.readAllLines(directory.resolve("server")));
    }

    private static void refuse(Server server, String request, int status) throws Exception {
        try (RawClient client = RawClient.connect(server.port())) {
            client.send(request);
            String answer = client.readTextToEnd();
            assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
        }
    }
}
