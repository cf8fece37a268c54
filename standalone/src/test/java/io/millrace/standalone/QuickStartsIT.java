package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.testkit.LocalPort;
import io.millrace.testkit.NeedsConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The guide's page of quick starts … */
@NeedsConnector("http2")
final class QuickStartsIT {

    private static final Path DIST =
            Path.of(System.getProperty("millrace.dist", "")).toAbsolutePath();
    private static final Path SOURCES = DIST.resolve("../../..").normalize();
    private static final Path JAVA = Path.of(System.getProperty("java.home"));

    /** The ports that the page uses. Each quick start gets free ones in their place. */
    private static final Pattern PORT = Pattern.compile("\\b(8080|8081|8082|8443)\\b");

    static List<QuickStart> quickStarts() throws IOException {
        return QuickStart.of(SOURCES.resolve("docs/guide/quick-starts.md"));
    }

    /** Those that need nothing but the distribution. */
    static Stream<QuickStart> ofTheDistribution() throws IOException {
        return quickStarts().stream().filter(start -> !needsExamples(start));
    }

    static Stream<QuickStart> ofExamples() throws IOException {
        return quickStarts().stream().filter(QuickStartsIT::needsExamples);
    }

    private static boolean needsExamples(QuickStart start) {
        return start.steps().stream().anyMatch(step -> step.commands().contains("$SOURCES/examples"));
    }

    @Test
    void leavesSpringBootToTheRingThatBuildsIt() throws IOException {
        assertEquals(
                List.of("10. Spring Boot 2.7"),
                ofExamples().map(QuickStart::title).toList());
    }

    @Test
    void hasTenBesideWhatIsBeforeThem() throws IOException {
        List<String> titles =
                quickStarts().stream().map(QuickStart::title).skip(1).toList();
        assertEquals(10, titles.size(), titles.toString());
    }

    @Test
    void namesEachBlockThatIsNotRun() throws IOException {
        List<String> obstacles = quickStarts().stream()
                .flatMap(start -> start.steps().stream())
                .flatMap(step -> Stream.ofNullable(step.obstacle()))
                .toList();
        assertEquals(
                List.of(
                        "it needs root and systemd.",
                        "it needs Docker. It does start the server with a read-only root, as the last command does."),
                obstacles);
    }

    @ParameterizedTest
    @MethodSource("ofTheDistribution")
    void printsWhatItShows(QuickStart start, @TempDir Path directory) throws Exception {
        run(start, directory);
    }

    @ParameterizedTest
    @MethodSource("ofExamples")
    @Tag("wars")
    void printsWhatItShowsOfAnExample(QuickStart start, @TempDir Path directory) throws Exception {
        run(start, directory);
    }

    private static void run(QuickStart start, Path directory) throws Exception {
        Map<String, String> ports = new HashMap<>();
        List<Terminal> terminals = new ArrayList<>();
        try {
            for (QuickStart.Step step : start.steps()) {
                if (step.obstacle() == null) {
                    Terminal terminal = Terminal.paste(onFreePorts(step, ports), directory, environment(ports));
                    terminals.add(terminal);
                    terminal.awaitOutput();
                }
            }
            for (Terminal terminal : terminals) {
                terminal.stop();
            }
        } finally {
            terminals.forEach(Terminal::close);
        }
    }

    @Test
    void servesWithAReadOnlyRootAsInAContainer(@TempDir Path base) throws Exception {
        assumeTrue(Command.run("", List.of("unshare", "-m", "true")).status() == 0, "mount namespaces");
        Files.writeString(Files.createDirectories(base.resolve("conf")).resolve("server.xml"), """
                <Server><Service><Connector port="0" address="127.0.0.1"/><Engine defaultHost="localhost">
                <Host name="localhost"/></Engine></Service></Server>
                """);
        Files.writeString(Files.createDirectories(base.resolve("webapps/ROOT")).resolve("index.html"), "Hello");
        Files.createDirectories(base.resolve("work"));
        Files.createDirectories(base.resolve("logs"));
        String readOnly = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro / && mount -o remount,bind,ro \"$0\""
                + " && mount -t tmpfs work \"$0/work\" && mount -t tmpfs logs \"$0/logs\" && ! touch \"$0/x\" && exec \"$@\"";
        try (Product product = Product.process()
                .by("unshare", "-m", "sh", "-c", readOnly, base.toString())
                .serving("start", "--base=" + base)) {
            assertEquals("Hello", Curl.run(product.url("/")));
            assertEquals(0, product.terminate().exitStatus(), product.output());
            assertTrue(product.has("MILLRACE0604"), product.output());
        }
    }

    private static Map<String, String> environment(Map<String, String> ports) throws IOException {
        return Map.of(
                "MILLRACE",
                DIST.toString(),
                "MILLRACE_HTTP_PORT",
                port("8080", ports),
                "SOURCES",
                SOURCES.toString(),
                "JAVA_HOME",
                JAVA.toString(),
                "PATH",
                DIST.resolve("bin") + ":" + JAVA.resolve("bin") + ":" + System.getenv("PATH"));
    }

    private static QuickStart.Step onFreePorts(QuickStart.Step step, Map<String, String> ports) throws IOException {
        return new QuickStart.Step(
                onFreePorts(step.commands(), ports), onFreePorts(step.expected(), ports), step.obstacle());
    }

    private static String onFreePorts(String text, Map<String, String> ports) throws IOException {
        String result = text;
        for (String shown : PORT.matcher(text)
                .results()
                .map(found -> found.group())
                .distinct()
                .toList()) {
            result = result.replaceAll("\\b" + shown + "\\b", port(shown, ports));
        }
        return result;
    }

    /** The port in place of one that the page shows. */
    private static String port(String shown, Map<String, String> ports) throws IOException {
        String chosen = ports.get(shown);
        if (chosen == null) {
            chosen = String.valueOf(LocalPort.free());
            ports.put(shown, chosen);
        }
        return chosen;
    }
}
