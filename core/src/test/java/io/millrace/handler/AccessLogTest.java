package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.NonBlockingHandler;
import io.millrace.http.RequestHead;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.RefusedRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The access log … */
class AccessLogTest {

    private static final NonBlockingHandler HELLO = exchange -> {
        exchange.response().headers().add("X-Reply", "yes");
        exchange.attributes().put(AccessLog.SESSION, "s1");
        Responses.text(exchange, 201, "hello");
    };

    private static final String TIME = "\\[\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d [+-]\\d{4}]";

    @TempDir
    Path directory = Path.of("");

    private List<String> lines(String pattern, Asked... requests) throws IOException {
        return lines(HELLO, pattern, requests);
    }

    private List<String> lines(NonBlockingHandler handler, String pattern, Asked... requests) throws IOException {
        try (AccessLog log = AccessLog.builder()
                .pattern(pattern)
                .directory(directory)
                .prefix("test")
                .fileDateFormat("")
                .suffix(".log")
                .open()) {
            for (Asked request : requests) {
                request.of(log.wrap(handler));
            }
        }
        return Files.readAllLines(directory.resolve("test.log"));
    }

    @Test
    void writesTheCommonFormat() throws IOException {
        String line = lines("common", Asked.get("/a?b=c")).get(0);
        String expected = "192\\.0\\.2\\.7 - - " + TIME + " \"GET /a\\?b=c HTTP/1\\.1\" 201 5";
        assertTrue(line.matches(expected), line);
    }

    /** Otherwise a log of the whole server would let one connection occupy all workers. */
    @Test
    void leavesConnectionsTheirShareOfTheWorkers() throws IOException {
        try (AccessLog log = AccessLog.builder()
                .directory(directory)
                .prefix("test")
                .fileDateFormat("")
                .open()) {
            List<Integer> shares = new ArrayList<>();
            log.wrap(new Dispatcher() {
                        @Override
                        public void dispatch(RequestHead request, HttpStream stream) {}

                        @Override
                        public Dispatcher ofConnection(int most, Runnable reached) {
                            shares.add(most);
                            return this;
                        }
                    })
                    .ofConnection(7, () -> {});
            assertEquals(List.of(7), shares);
        }
    }

    @Test
    void writesWhichBackendWasAsked() throws IOException {
        String pattern = "%{backend}r %{backendAttempts}r %{backendConnectTime}r %{backendHeaderTime}r %{backendTime}r";
        NonBlockingHandler proxy = exchange -> {
            BackendTrace trace = new BackendTrace();
            exchange.attributes().put(BackendTrace.KEY, trace);
            if (exchange.request().path().raw().equals("/passed")) {
                trace.attempt("http://a", 1);
                trace.connected();
                trace.attempt("http://b", 2);
                trace.connected();
            }
            Responses.text(exchange, 502, "");
        };
        List<String> lines = lines(proxy, pattern, Asked.get("/passed"), Asked.get("/refused"));
        assertTrue(lines.get(0).matches("http://b 2 \\d+ - \\d+"), lines.get(0));
        assertEquals("- - - - -", lines.get(1));
        assertEquals("- - - - -", lines(pattern, Asked.get("/own")).get(2));
    }

    @Test
    void writesTheCombinedFormat() throws IOException {
        Asked asked = Asked.get("/").header("Referer", "http://x/").header("User-Agent", "curl \"8\"");
        String line = lines("combined", asked).get(0);
        assertTrue(line.endsWith(" 201 5 \"http://x/\" \"curl \\\"8\\\"\""), line);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "%h %a %l %u|192.0.2.7 192.0.2.7 - -",
                "%{peer}a %{remote}a|192.0.2.7 192.0.2.7",
                "%S %X|s1 \\+",
                "%A %p %{local}p %{remote}p|127.0.0.1 8080 8080 40000",
                "%m %U %q %H %v|GET /p ?x=1 HTTP/1.1 localhost",
                "%s %b %B|201 5 5",
                "%{X-Ask}i %{None}i %{x-reply}o|please - yes",
                "%{b}c %{none}c|2 -",
                "100%% %s%%|100% 201%",
                "ä %s|ä 201",
                "%{yyyy}t|\\d{4}",
                "%{sec}t|\\d{10}",
                "%{msec}t|\\d{13}",
                "%{begin:msec}t %{end:msec}t|\\d{13} \\d{13}",
                "%{msec_frac}t %{end:sec}t|\\d{3} \\d{10}",
                "%{begin}t|\\[\\d\\d/.*]",
                "%{begin:yyyy-MM-dd'T'HH:mm:ss.SSSXXX}t|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}.*",
                "%{none}s %{none}r|- -",
                "%D %F|\\d+ \\d+",
                "%T|\\d+\\.\\d{3}",
                "%I|main",
            })
    void knowsTomcatsCodes(String pattern, String expected) throws IOException {
        Asked asked = Asked.get("/p?x=1").header("X-Ask", "please").header("Cookie", "a=1; b=2");
        String line = lines(pattern, asked).get(0);
        assertTrue(line.equals(expected) || line.matches(expected), line);
    }

    @ParameterizedTest
    @CsvSource({"example.org:8080,example.org", "example.org,example.org", "[::1]:80,[::1]", "[::1],[::1]"})
    void namesTheServerWithoutItsPort(String host, String expected) throws IOException {
        assertEquals(List.of(expected), lines("%v", Asked.get("/").host(host)));
    }

    @Test
    void escapesWhatCouldForgeALineOrSteerATerminal() throws IOException {
        Asked asked = Asked.get("/").header("X", "a\r\nb\u001b[31m\"\\\t\u009b\u2028ü\uD83D\uDE00\u007f");
        assertEquals(List.of("a\\r\\nb\\x1b[31m\\\"\\\\\\t\\u009b\\u2028ü\uD83D\uDE00\\x7f"), lines("%{X}i", asked));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%Z", "%{abc", "%{abc}", "%{odd}p", "a %", "%{odd}a", "%{bad pattern}t"})
    void complainsAboutPatternsItDoesNotUnderstand(String pattern) {
        var failure = assertThrows(
                IllegalArgumentException.class, () -> AccessLog.builder().pattern(pattern));
        assertTrue(String.valueOf(failure.getMessage()).contains("\"" + pattern + "\""), failure.getMessage());
    }

    @Test
    void writesALineForEachOfManyRequests() throws IOException {
        Asked[] requests = new Asked[5000];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = Asked.get("/" + i);
        }
        List<String> lines = lines("%U", requests);
        assertEquals(5000, lines.size());
        assertEquals("/4999", lines.get(4999));
    }

    @Test
    void appendsToWhatIsThere() throws IOException {
        lines("%U", Asked.get("/1"));
        assertEquals(List.of("/1", "/2"), lines("%U", Asked.get("/2")));
    }

    @Test
    void logsWhatTheProtocolRefused() throws IOException {
        AccessLog log = AccessLog.builder()
                .pattern("%h \"%r\" %s")
                .directory(directory)
                .fileDateFormat("")
                .open();
        try (log) {
            var info = new MemoryStream().channel().info();
            var dispatcher = log.wrap((request, stream) -> {});
            dispatcher.refused(new RefusedRequest(400, "odd", null, info));
            dispatcher.refused(new RefusedRequest(400, "odd", "GET /\u0001\" HTTP/1.1", info));
        }
        assertEquals(
                List.of("192.0.2.7 \"-\" 400", "192.0.2.7 \"GET /\\x01\\\" HTTP/1.1\" 400"),
                Files.readAllLines(directory.resolve("access_log")));
    }
}
