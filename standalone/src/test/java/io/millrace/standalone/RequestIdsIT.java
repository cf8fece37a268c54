package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.ConnectorOptions;
import io.millrace.Server;
import io.millrace.exchange.RequestId;
import io.millrace.testkit.Deadline;
import io.millrace.websocket.WebSocketHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With requestId, one id … */
@NullUnmarked
final class RequestIdsIT {

    private static final String HANDLER = "1catalina.org.apache.juli.AsyncFileHandler";
    private static final Pattern ID = Pattern.compile("(?im)^x-request-id: (\\S+)");
    private static final Pattern TRACE = Pattern.compile("(?im)^traceparent: 00-([0-9a-f]{32})-[0-9a-f]{16}-0[01]");

    @TempDir
    private static Path base;

    private static Product server;

    @BeforeAll
    static void start() throws IOException {
        write("conf/server.xml", """
                <Server port="-1"><Service>
                  <Connector port="0" address="127.0.0.1" requestId="true">
                    <UpgradeProtocol className="org.apache.coyote.http2.Http2Protocol"/>
                  </Connector>
                  <Connector port="0" address="127.0.0.1" protocol="AJP/1.3" secret="between-us" requestId="true"/>
                  <Engine name="Catalina" defaultHost="localhost">
                    <Valve className="org.apache.catalina.valves.RemoteIpValve" internalProxies="127.0.0.1"/>
                    <Valve className="org.apache.catalina.valves.JsonAccessLogValve" prefix="access" suffix=".json"
                        rotatable="false" buffered="false" pattern="%U %s" limit="2000" count="50"/>
                    <Host name="localhost" autoDeploy="false"/>
                  </Engine>
                </Service></Server>
                """);
        write("conf/logging.properties", """
                handlers = @
                .level = INFO
                @.directory = ${catalina.base}/logs
                @.prefix = catalina.
                @.limit = 4000
                @.count = 50
                @.formatter = io.millrace.standalone.log.JsonFormatter
                """.replace("@", HANDLER));
        write("webapps/shop/log.jsp", """
                <% application.log("word of the context");
                   java.util.logging.Logger.getLogger("shop.Till").warning("word of\\na logger");
                   request.getRequestDispatcher("part.jsp").include(request, response); %>""");
        write(
                "webapps/shop/part.jsp",
                "<%= request.getAttribute(\"io.millrace.requestId\") %> <%= request.getHeader(\"X-Request-Id\") %>");
        write(
                "webapps/shop/detail.jsp",
                "<% java.util.logging.Logger.getLogger(\"shop.Till\").fine(\"detail\" + request.getQueryString()); %>");
        write("webapps/shop/fail.jsp", "<% if (true) throw new IllegalStateException(\"out of stock\"); %>");
        server = Product.process().serving("start", "--base=" + base);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void write(String name, String content) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private static List<String> lines() {
        Path logs = base.resolve("logs");
        if (Files.notExists(logs)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(logs)) {
            return files.flatMap(RequestIdsIT::read).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> read(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (java.nio.file.NoSuchFileException rotated) {
            return Stream.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean logged(String text) {
        return lines().stream().anyMatch(line -> line.contains(text));
    }

    private static int port(String scheme) {
        return lines().stream()
                .map(Pattern.compile("MILLRACE0001.*" + scheme + "://127.0.0.1:(\\d+)")::matcher)
                .filter(Matcher::find)
                .map(found -> Integer.parseInt(found.group(1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(String.join("\n", lines())));
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertTrue(matcher.find(), text);
        String first = matcher.group(1);
        assertFalse(matcher.find(), text);
        return first;
    }

    /** Those of one request in all files, rotated ones included. */
    private static List<String> of(String id) {
        return lines().stream()
                .filter(line -> line.contains("\"req\":\"" + id + "\""))
                .toList();
    }

    private static void checkServer(String id, String trace) {
        Deadline.await(
                "the lines of " + id,
                () -> of(id).stream().anyMatch(line -> line.contains("\"path\":\"/shop/log.jsp\"")));
        List<String> lines = of(id);
        assertEquals(3, lines.size(), () -> String.join("\n", lines()));
        assertTrue(lines.stream().allMatch(line -> line.contains("\"trace\":\"" + trace + "\"")), lines::toString);
        assertTrue(
                lines.stream()
                        .anyMatch(line ->
                                line.contains("\"msg\":\"word of the context\"") && line.contains("\"app\":\"/shop\"")),
                lines::toString);
        assertTrue(
                lines.stream()
                        .anyMatch(line -> line.contains("\"level\":\"WARN\",\"logger\":\"shop.Till\"")
                                && line.contains("\"msg\":\"word of\\na logger\",\"app\":\"/shop\"")),
                lines::toString);
    }

    @Test
    void leadsThroughProxyServerAndApplication() throws Exception {
        for (String scheme : List.of("http", "h2c", "ajp")) {
            int port = port(scheme.equals("ajp") ? "ajp" : "http");
            try (Product proxy = Product.process()
                    .serving(
                            "proxy",
                            "--port=0",
                            "--address=127.0.0.1",
                            "--request-id",
                            "--log-format=json",
                            "--access-log",
                            scheme + "://127.0.0.1:" + port + (scheme.equals("ajp") ? "?secret=between-us" : ""))) {
                String response = Curl.run("-i", "-H", "X-Request-Id: of-a-stranger", proxy.url("/shop/log.jsp"));
                String id = found(ID, response);
                String trace = found(TRACE, response);
                assertTrue(id.matches("[0-9a-z]{16}"), response);
                assertTrue(response.strip().endsWith(id + " " + id), response);
                String line = proxy.awaitLine("\"req\":\"" + id + "\"");
                assertTrue(line.contains("/shop/log.jsp") && line.contains("\"trace\":\"" + trace + "\""), line);
                checkServer(id, trace);
            }
        }
    }

    @Test
    void isInTheErrorPageAndTheLineOfTheFailure() throws Exception {
        String url = "http://127.0.0.1:" + port("http") + "/shop/fail.jsp";
        for (String protocol : List.of("--http1.1", "--http2-prior-knowledge")) {
            String response = Curl.run("-i", protocol, "-H", "Accept: text/html", url);
            String id = found(ID, response);
            assertTrue(response.contains("Request <code>" + id + "</code>"), response);
            Deadline.await(
                    "the failure of " + id, () -> of(id).stream().anyMatch(line -> line.contains("MILLRACE4600")));
            String failure = of(id).stream()
                    .filter(line -> line.contains("MILLRACE4600"))
                    .findFirst()
                    .orElseThrow();
            assertTrue(failure.contains("\"id\":\"MILLRACE4600\""), failure);
            assertTrue(failure.contains("\"stack\":\"") && failure.contains("out of stock"), failure);
            assertEquals(1, failure.lines().count());
        }
    }

    /** Loggers of applications, too. */
    @Test
    void isInLinesOfALevelThatIsSetForATime() throws Exception {
        String url = "http://127.0.0.1:" + port("http") + "/shop/detail.jsp";
        Curl.run(url + "?0");
        try (Product command =
                Product.process().launch("log", "shop.Till=debug", "--for", "1h", "--base", base.toString())) {
            assertEquals(0, command.exitStatus(), command.output());
        }
        String id = found(ID, Curl.run("-i", url + "?1"));
        Deadline.await("the detail", () -> of(id).stream().anyMatch(line -> line.contains("\"level\":\"DEBUG\"")));
        assertTrue(of(id).stream().anyMatch(line -> line.contains("\"msg\":\"detail1\"")), () -> of(id).toString());
        assertFalse(logged("detail0"));
    }

    /** By the protocol, before it is a request of an application. */
    @Test
    void isInTheAnswerAndTheLinesOfARejectedRequest() throws Exception {
        int port = port("http");
        String bad = answer(port, "GET /first HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
        assertTrue(bad.startsWith("HTTP/1.1 400 "), bad);
        checkRejected(found(ID, bad), found(TRACE, bad), "400");
        String url = "http://127.0.0.1:" + port + "/second";
        String large = "x: " + "y".repeat(20_000);
        for (String protocol : List.of("--http1.1", "--http2-prior-knowledge")) {
            String response = Curl.run("-i", protocol, "-H", large, url);
            assertTrue(response.matches("(?s)HTTP/[12.]+ 431.*"), response);
            checkRejected(found(ID, response), found(TRACE, response), "431");
        }
    }

    private static void checkRejected(String id, String trace, String status) {
        Deadline.await("two lines of " + id, () -> of(id).size() == 2);
        List<String> lines = of(id);
        assertTrue(lines.stream().allMatch(line -> line.contains("\"trace\":\"" + trace + "\"")), lines::toString);
        assertTrue(lines.stream().allMatch(line -> line.contains(status)), lines::toString);
        assertTrue(lines.stream().anyMatch(line -> line.contains("\"id\":\"MILLRACE")), lines::toString);
    }

    private static String answer(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void isThatOfTheHandshakeForTheMessagesOfAWebSocket() throws Exception {
        Connector connector = Connector.builder()
                .port(0)
                .address("127.0.0.1")
                .with(ConnectorOptions.REQUEST_ID, true)
                .build();
        WebSocketHandler handler = WebSocketHandler.onText((connection, text) ->
                connection.sendText(Objects.requireNonNull(RequestId.current()).value()));
        try (Server embedded =
                Server.builder().connector(connector).handler(handler).start()) {
            URI uri = URI.create("ws://127.0.0.1:" + embedded.port() + "/");
            BlockingQueue<String> first = idsOfTwoMessages(uri);
            String id = first.poll(20, TimeUnit.SECONDS);
            assertTrue(String.valueOf(id).matches("[0-9a-z]{16}"), id);
            assertEquals(id, first.poll(20, TimeUnit.SECONDS));
            assertNotEquals(id, idsOfTwoMessages(uri).poll(20, TimeUnit.SECONDS));
        }
    }

    private static BlockingQueue<String> idsOfTwoMessages(URI uri) {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(uri, new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
                        received.add(text.toString());
                        from.request(1);
                        return null;
                    }
                })
                .join();
        socket.sendText("one", true).join();
        socket.sendText("two", true).join();
        return received;
    }
}
