package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tomcat's access log Valves … */
final class AccessLogValvesIT {

    @TempDir
    private Path base = Path.of("");

    @BeforeEach
    void makeBase() throws IOException {
        Files.createDirectories(base.resolve("conf"));
        for (String name : List.of("one", "two")) {
            Files.createDirectories(base.resolve("webapps/" + name + "/WEB-INF"));
            Files.writeString(base.resolve("webapps/" + name + "/page.txt"), name);
            Files.writeString(base.resolve("webapps/" + name + "/page.jsp"), """
                    <% request.setAttribute("important", "line\\nbreak \\"quoted\\""); %>hello""");
        }
    }

    private static String valve(String type, String attributes) {
        return "<Valve className=\"org.apache.catalina.valves." + type + "\" rotatable=\"false\" " + attributes
                + "/>\n";
    }

    private void server(String engine, String host) throws IOException {
        Files.writeString(base.resolve("conf/server.xml"), """
                <Server port="-1"><Service>
                  <Connector port="0" address="127.0.0.1"/>
                  <Engine name="Catalina" defaultHost="localhost">
                    %s
                    <Host name="localhost">%s</Host>
                  </Engine>
                </Service></Server>
                """.formatted(engine, host));
    }

    private void context(String application, String valves) throws IOException {
        Path file = base.resolve("webapps/" + application + "/META-INF/context.xml");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "<Context>" + valves + "</Context>");
    }

    private Product start() throws IOException {
        return Product.serving("start", "--base=" + base);
    }

    private List<String> log(String name) throws IOException {
        return Files.readAllLines(base.resolve("logs/" + name));
    }

    private List<String> sorted(String name) {
        try (Stream<String> lines = Files.lines(base.resolve("logs/" + name))) {
            return lines.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void writeInEngineHostAndContext() throws Exception {
        server(
                valve("JsonAccessLogValve", "prefix=\"engine.json\" pattern=\"%m %U %s %{User-Agent}i %{important}r\"")
                        + valve("AccessLogValve", "prefix=\"engine\" pattern=\"%U %s\""),
                valve(
                                "ExtendedAccessLogValve",
                                "prefix=\"host\" pattern=\"cs-method cs-uri-stem sc-status cs(User-Agent) x-R(important)\"")
                        + valve("AccessLogValve", "prefix=\"unless\" condition=\"important\" pattern=\"%U\""));
        context(
                "one",
                valve("AccessLogValve", "prefix=\"one\" conditionIf=\"important\" pattern=\"%U %{important}r\""));
        context("two", valve("AccessLogValve", "prefix=\"two\" pattern=\"%U ä\" encoding=\"ISO-8859-1\""));
        try (Product product = start()) {
            for (String path : List.of("/one/page.txt", "/one/page.jsp", "/two/page.txt", "/nowhere")) {
                Curl.run("-A", "a \"b\"", product.url(path));
            }
            product.terminate();
            assertEquals(0, product.exitStatus(), product.output());
        }
        // a line follows its response, so the client's next request may be logged before it
        assertEquals(
                List.of("/nowhere 404", "/one/page.jsp 200", "/one/page.txt 200", "/two/page.txt 200"),
                sorted("engine"));
        assertEquals(
                "{\"method\":\"GET\",\"path\":\"/one/page.jsp\",\"statusCode\":\"200\",\"requestHeaders\":{\"User-Agent\":\"a"
                        + " \\\"b\\\"\"},\"requestAttributes\":{\"important\":\"line\\nbreak \\\"quoted\\\"\"}}",
                log("engine.json").stream()
                        .filter(line -> line.contains("/one/page.jsp"))
                        .findFirst()
                        .orElseThrow());
        assertEquals(
                List.of(
                        "#Fields: cs-method cs-uri-stem sc-status cs(User-Agent) x-R(important)",
                        "#Version: 2.0",
                        "#Software: Millrace"),
                log("host").subList(0, 3));
        assertTrue(
                sorted("host")
                        .containsAll(List.of(
                                "GET /one/page.txt 200 \"a \"\"b\"\"\" -",
                                "GET /one/page.jsp 200 \"a \"\"b\"\"\" \"line\\nbreak \"\"quoted\"\"\"")),
                () -> "lines: " + sorted("host"));
        assertEquals(List.of("/nowhere", "/one/page.txt", "/two/page.txt"), sorted("unless"));
        assertEquals(List.of("/one/page.jsp line\\nbreak \\\"quoted\\\""), log("one"));
        assertEquals("/two/page.txt ä\n", Files.readString(base.resolve("logs/two"), StandardCharsets.ISO_8859_1));
    }

    @Test
    void areWrittenAtOnceUnlessBuffered() throws Exception {
        server("", valve("AccessLogValve", "prefix=\"log\" buffered=\"false\" pattern=\"%U\""));
        try (Product product = start()) {
            Curl.run(product.url("/one/page.txt"));
            Path log = base.resolve("logs/log");
            for (long end = System.nanoTime() + 60_000_000_000L; Files.size(log) == 0 && System.nanoTime() < end; ) {
                Thread.onSpinWait();
            }
            assertEquals(List.of("/one/page.txt"), log("log"));
        }
    }

    @Test
    void areCheckedBeforeTheStart() throws Exception {
        server(
                valve("ExtendedAccessLogValve", "pattern=\"date cs-metod\""),
                valve("JsonAccessLogValve", "pattern=\"%Y\"") + valve("ExtendedAccessLogValve", ""));
        try (Product product = Product.launch("check", "--base=" + base)) {
            assertEquals(0, product.exitStatus(), product.output());
            product.awaitLine("has cs-metod, which is unknown; expected one of date time");
            product.awaitLine("has %Y, which is unknown");
            product.awaitLine("The access log pattern is empty");
        }
        server(
                "",
                valve("AccessLogValve", "encoding=\"UTF-16\"")
                        + valve("AccessLogValve", "locale=\"xx_YY\"")
                        + valve("AccessLogValve", "resolveHosts=\"true\""));
        try (Product product = Product.launch("check", "--base=" + base)) {
            assertEquals(0, product.exitStatus(), product.output());
            assertTrue(product.has("encoding=\"UTF-16\" on Valve: expected an encoding"), product.output());
            assertTrue(product.has("locale=\"xx_YY\" on Valve: expected a locale"), product.output());
            assertTrue(product.has("resolveHosts on Valve is ignored: Tomcat 9 ignores it too"), product.output());
        }
    }

    @Test
    void writeUnknownCodesAsTomcatDoes() throws Exception {
        server("", "");
        context("one", valve("AccessLogValve", "prefix=\"log\" pattern=\"%s %Z\""));
        try (Product product = Product.launch("check", "--base=" + base)) {
            assertEquals(0, product.exitStatus(), product.output());
            product.awaitLine("has %Z, which is unknown");
        }
        try (Product product = start()) {
            assertEquals(200, Curl.status(product.url("/one/page.txt")));
        }
        assertEquals(List.of("200 ???Z???"), log("log"));
    }
}
