package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.handler.AccessLog;
import io.millrace.handler.AccessLogFormat;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.io.TransportOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
        try (Server server = Carrier.byDefault()
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

    @Test
    void writesWhatOnlyTheApplicationKnows(@TempDir Path directory) throws Exception {
        WebApplicationBuilder application = WebApplication.builder("")
                .servlet(
                        "all",
                        Serving.with((request, response) -> {
                            request.setAttribute("number", 7);
                            request.getSession().setAttribute("cart", "full");
                            request.getServletContext().setAttribute("edition", "third");
                        }),
                        "/all")
                .servlet("none", Serving.with((request, response) -> response.setStatus(204)), "/none");
        WebApplication web = application.build();
        web.accessLog(AccessLog.builder()
                .directory(directory)
                .prefix("test")
                .fileDateFormat("")
                .pattern(
                        AccessLogFormat.EXTENDED,
                        "cs-uri x-R(number) x-S(cart) x-A(edition) x-P(a) x-H(requestedSessionIdValid) x-H(scheme)"));
        web.accessLog(AccessLog.builder()
                .directory(directory)
                .prefix("important")
                .fileDateFormat("")
                .attributes("number", null)
                .pattern("%U %{cart}s"));
        try (Server server = Carrier.byDefault().server().application(web).start()) {
            get(server.port(), "/all?a=b+c");
            get(server.port(), "/none");
        }
        assertEquals(
                List.of(
                        "/all?a=b+c \"7\" \"full\" \"third\" \"b+c\" \"false\" \"http\"",
                        "/none - - \"third\" - \"false\" \"http\""),
                Files.readAllLines(directory.resolve("test")).stream()
                        .filter(line -> !line.startsWith("#"))
                        .toList());
        assertEquals(List.of("/all full"), Files.readAllLines(directory.resolve("important")));
    }

    @Test
    void writesAResponseThatItsClientTookTooSlowlyWithWhatWasSent(@TempDir Path directory) throws Exception {
        int length = 64 << 20;
        WebApplicationBuilder application = WebApplication.builder("")
                .servlet(
                        "large",
                        Serving.with((request, response) -> {
                            response.setContentLength(length);
                            for (int i = 0; i < length >> 20; i++) {
                                response.getOutputStream().write(new byte[1 << 20]);
                            }
                        }),
                        "/large");
        AccessLog log = AccessLog.builder()
                .directory(directory)
                .prefix("test")
                .fileDateFormat("")
                .pattern("%U %s %B")
                .open();
        Connector connector = Carrier.byDefault()
                .connector()
                .with(TransportOptions.MIN_DOWNLOAD_RATE, 1_000_000_000)
                .with(TransportOptions.MIN_DOWNLOAD_RATE_GRACE, Duration.ZERO)
                .with(ProtocolOptions.CONNECTION_TIMEOUT, Duration.ofSeconds(3))
                .build();
        try (Server server = Server.builder()
                        .connector(connector)
                        .accessLog(log)
                        .application(application.build())
                        .start();
                RawClient client = RawClient.connect(server.addresses().get(0), 64 * 1024)
                        .send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            assertThrows(SocketException.class, () -> {
                for (int i = 0; i < length >> 18; i++) {
                    client.read(1 << 18);
                    Deadline.pass(Duration.ofMillis(100));
                }
            });
            assertEquals(1, server.reachedLimits().get(0).times(Limit.CONNECTION_DOWNLOAD_RATE));
        }
        String[] line = Files.readAllLines(directory.resolve("test")).get(0).split(" ", -1);
        assertEquals("/large 200", line[0] + " " + line[1]);
        int sent = Integer.parseInt(line[2]);
        assertTrue(sent > 0 && sent < length, sent + " bytes");
    }

    @Test
    void keepsAnApplicationFromStartingThatItCannotBeOpenedFor(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        WebApplication web = WebApplication.builder("").build();
        web.accessLog(AccessLog.builder().directory(directory).prefix("opened").fileDateFormat(""));
        web.accessLog(AccessLog.builder().directory(file));
        try (Server server =
                Carrier.byDefault().server().failFast(false).application(web).start()) {
            assertEquals(1, server.failures().size());
        }
    }

    private static String get(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
