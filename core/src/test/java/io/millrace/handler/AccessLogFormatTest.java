package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.NonBlockingHandler;
import io.millrace.protocol.RefusedRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An access log in a format of its own … */
final class AccessLogFormatTest {

    /** Input that would end a line, a field or a string if it were not escaped. */
    private static final String EVIL = "a\"b\\c\r\nd\u0000\u001b[31m\t\u0085\u2028,\u007f'}";

    private static final Map<String, String> SAID = Map.of("important", "yes", "evil", EVIL);

    private static final NonBlockingHandler APPLICATION = exchange -> {
        AccessNotes notes = exchange.attributes().get(AccessNotes.KEY);
        if (notes != null && exchange.request().path().raw().startsWith("/app")) {
            notes.take(wanted -> switch (wanted.name()) {
                case "broken" -> throw new IllegalStateException("no toString");
                case "kind" -> wanted.source();
                default -> SAID.get(wanted.name());
            });
        }
        exchange.response().headers().add("X-Reply", "one");
        exchange.response().headers().add("X-Reply", "two \"2\"");
        Responses.text(exchange, 200, "hello");
    };

    @TempDir
    Path directory = Path.of("");

    private AccessLogBuilder log() {
        return AccessLog.builder().directory(directory).prefix("log").fileDateFormat("");
    }

    private List<String> lines(AccessLogBuilder builder, Asked... requests) throws IOException {
        write(builder, requests);
        return Files.readAllLines(directory.resolve("log"));
    }

    private static void write(AccessLogBuilder builder, Asked... requests) throws IOException {
        try (AccessLog log = builder.open()) {
            for (Asked request : requests) {
                request.of(log.wrap(APPLICATION));
            }
        }
    }

    private String extended(String pattern, Asked asked) throws IOException {
        List<String> lines = lines(log().pattern(AccessLogFormat.EXTENDED, pattern), asked);
        return lines.get(lines.size() - 1);
    }

    private String json(String pattern, Asked asked) throws IOException {
        List<String> lines = lines(log().pattern(AccessLogFormat.JSON, pattern), asked);
        assertEquals(1, lines.size());
        return lines.get(0);
    }

    @Test
    void beginsAnEmptyExtendedFileWithItsFields() throws IOException {
        AccessLogBuilder log = log().pattern(AccessLogFormat.EXTENDED, "cs-method cs-uri sc-status");
        write(log, Asked.get("/a?b"));
        assertEquals(
                List.of(
                        "#Fields: cs-method cs-uri sc-status",
                        "#Version: 2.0",
                        "#Software: Millrace",
                        "GET /a?b 200",
                        "GET /2 200"),
                lines(log, Asked.get("/2")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "date time|\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d",
                "time-taken bytes cached|\\d+\\.\\d{3} 5 -",
                "c-ip c-dns s-ip|192.0.2.7 192.0.2.7 127.0.0.1",
                "s-dns x-threadname|\\S+ main",
                "cs-method cs-uri cs-uri-stem cs-uri-query|GET /app?x=1 /app x=1",
                "cs(X-Ask) cs(None)|\"pl\"\"ease\" -",
                "sc-status sc-comment|200 \\?",
                "sc(X-Reply) x-O(X-Reply)|\"one\" \"one,two \"\"2\"\"\"",
                "x-C(b) x-C(none)|\"2\" -",
                "x-R(important) x-R(none) x-R(broken)|\"yes\" - -",
                "x-R(kind) x-S(kind) x-A(kind) x-P(kind)|\"REQUEST\" \"SESSION\" \"APPLICATION\" \"PARAMETER\"",
                "x-P(important)|\"yes\"",
                "x-H(protocol) x-H(scheme) x-H(secure)|\"HTTP/1.1\" \"http\" \"false\"",
                "x-H(contentLength) x-H(requestedSessionIdValid) x-H(authType)|\"-1\" \"false\" -",
                "sr-anything rs(X) sr(Y)|- - -",
            })
    void knowsTheExtendedFields(String pattern, String expected) throws IOException {
        Asked asked = Asked.get("/app?x=1").header("X-Ask", "pl\"ease").header("Cookie", "a=1; b=\"2\"");
        String line = extended(pattern, asked);
        assertTrue(line.equals(expected) || line.matches(expected), line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "cs-metod",
                "x-Z(a)",
                "x-H(nothing)",
                "cs(X",
                "(x)",
                "date\ntime",
                "x-A",
                "c-port",
                "%h"
            })
    void refusesExtendedFieldsThatAreNotKnown(String pattern) {
        assertThrows(
                IllegalArgumentException.class, () -> AccessLog.builder().pattern(AccessLogFormat.EXTENDED, pattern));
    }

    @Test
    void keepsAnExtendedLineOneLineOfItsFields() throws IOException {
        Asked asked = Asked.get("/app").header("X", EVIL);
        assertEquals(
                "\"a\"\"b\\\\c\\r\\nd\\x00\\x1b[31m\\t\\u0085\\u2028,\\x7f'}\" 200",
                extended("cs(X) sc-status", asked));
        assertTrue(extended("x-R(evil) sc-status", Asked.get("/app")).endsWith("'}\" 200"));
        assertEquals(8, Files.readAllLines(directory.resolve("log")).size() + 3);
    }

    @Test
    void writesJsonWithTomcatsNames() throws IOException {
        Asked asked = Asked.get("/app?x=1").header("X-Ask", "please").header("Cookie", "a=1");
        assertEquals(
                "{\"remoteAddr\":\"192.0.2.7\",\"request\":\"GET /app?x=1 HTTP/1.1\",\"statusCode\":\"200\","
                        + "\"size\":\"5\",\"port-remote\":\"40000\",\"requestHeaders\":{\"X-Ask\":\"please\",\"None\":\"-\"},"
                        + "\"cookies\":{\"a\":\"1\"},\"responseHeaders\":{\"x-reply\":\"one,two \\\"2\\\"\"},"
                        + "\"requestAttributes\":{\"important\":\"yes\"},\"sessionAttributes\":{\"kind\":\"SESSION\"}}",
                json(
                        "%a - \"%r\" %s %s %b %{remote}p %{X-Ask}i %{None}i %{a}c %{x-reply}o %{important}r %{kind}s",
                        asked));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nothing|{}",
                "%{X}i|{\"requestHeaders\":{\"X\":\"-\"}}",
                "%{a\"b}i|{\"requestHeaders\":{\"a\\\"b\":\"-\"}}",
            })
    void writesWholeJsonObjects(String pattern, String expected) throws IOException {
        assertEquals(expected, json(pattern, Asked.get("/")));
    }

    @Test
    void keepsAJsonStringOneString() throws IOException {
        Asked asked = Asked.get("/app").header("X", EVIL);
        String value = "a\\\"b\\\\c\\r\\nd\\u0000\\u001b[31m\\t\\u0085\\u2028,\\u007f'}";
        assertEquals(
                "{\"requestHeaders\":{\"X\":\"" + value + "\"},\"requestAttributes\":{\"evil\":\"" + value + "\"}}",
                json("%{X}i %{evil}r", asked));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"important,-,/app", "-,important,/file", "missing,-,-", "important,important,-", "-,-,/app /file"})
    void logsWhatItsConditionsAdmit(String present, String absent, String expected) throws IOException {
        String lines = String.join(
                " ", lines(log().pattern("%U").attributes(present, absent), Asked.get("/app"), Asked.get("/file")));
        assertEquals(expected == null ? "" : expected, lines);
    }

    @Test
    void asksForWhatEachOfTwoLogsNeeds() throws IOException {
        try (AccessLog outer = log().pattern("%{important}r").open();
                AccessLog inner = log().prefix("inner").pattern("%{kind}s").open()) {
            Asked.get("/app").of(outer.wrap(inner.wrap(APPLICATION)));
        }
        assertEquals(List.of("yes"), Files.readAllLines(directory.resolve("log")));
        assertEquals(List.of("SESSION"), Files.readAllLines(directory.resolve("inner")));
    }

    @Test
    void writesInAnotherEncoding() throws IOException {
        AccessLogBuilder log = log().pattern("%{X}i").charset(StandardCharsets.ISO_8859_1);
        write(log, Asked.get("/").header("X", "ü\n\u20ac"));
        assertEquals("ü\\n?\n", Files.readString(directory.resolve("log"), StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-32", "IBM1047"})
    void refusesAnEncodingWithoutAscii(String name) {
        assertThrows(IllegalArgumentException.class, () -> AccessLog.builder().charset(Charset.forName(name)));
    }

    @Test
    void writesTimesInItsLocale() throws IOException {
        String german = lines(log().pattern("%{MMMM}t").locale(Locale.GERMANY), Asked.get("/"))
                .get(0);
        String common = lines(log().pattern("%t").locale(Locale.GERMANY), Asked.get("/"))
                .get(1);
        assertTrue(
                List.of(new java.text.DateFormatSymbols(Locale.GERMANY).getMonths())
                        .contains(german),
                german);
        assertTrue(
                List.of(new java.text.DateFormatSymbols(Locale.US).getShortMonths())
                        .contains(common.substring(4, 7)),
                common);
    }

    @ParameterizedTest
    @CsvSource({"false,2001:db8:0:0:0:0:0:1", "true,2001:db8::1"})
    void writesIpv6AddressesWholeOrCanonical(boolean canonical, String expected) throws IOException {
        var client = new MemoryStream().channel().info();
        var ipv6 = new java.net.InetSocketAddress(InetAddress.getByName("2001:db8::1"), 1);
        var info = new io.millrace.io.ConnectionInfo() {
            @Override
            public java.net.SocketAddress local() {
                return client.local();
            }

            @Override
            public java.net.SocketAddress remote() {
                return ipv6;
            }
        };
        try (AccessLog log = log().pattern("%a %h").ipv6Canonical(canonical).open()) {
            log.wrap((request, stream) -> {}).refused(new RefusedRequest(400, "odd", null, info));
        }
        assertEquals(List.of(expected + " " + expected), Files.readAllLines(directory.resolve("log")));
    }

    @Test
    void believesFiltersOnlyIfItMay() throws IOException {
        NonBlockingHandler relayed = exchange -> {
            AccessNotes notes = exchange.attributes().get(AccessNotes.KEY);
            if (notes != null) {
                notes.take(wanted -> wanted.name().replace("org.apache.catalina.AccessLog.", "front-"));
            }
            Responses.text(exchange, 200, "");
        };
        for (boolean believes : new boolean[] {true, false}) {
            try (AccessLog log =
                    log().pattern("%a %h %H %v %p").relayed(believes).open()) {
                Asked.get("/").of(log.wrap(relayed));
            }
        }
        assertEquals(
                List.of(
                        "front-RemoteAddr front-RemoteHost front-Protocol front-ServerName front-ServerPort",
                        "192.0.2.7 192.0.2.7 HTTP/1.1 localhost 8080"),
                Files.readAllLines(directory.resolve("log")));
    }

    @Test
    void refusesUnknownCodesInJsonToo() {
        var failure = assertThrows(
                IllegalArgumentException.class, () -> AccessLog.builder().pattern(AccessLogFormat.JSON, "%h %Y"));
        assertFalse(String.valueOf(failure.getMessage()).isEmpty());
    }
}
