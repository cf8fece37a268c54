package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.standalone.probe.LogTaker;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server's log … */
final class LogIT {

    private static final Pattern LINE =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d)"
                    + " (ERROR|WARN |INFO |DEBUG) \\[[^]]+] \\S.*");

    /** The property would choose the log of an application's own JBoss Logging. */
    private static final String PAGE = "<%= 1 + 1 %> <%= System.getProperty(\"org.jboss.logging.provider\") %>";

    @TempDir
    private Path base = Path.of("");

    /** Which Jasper's logging and an application that takes all handlers share this JVM with. */
    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void goesOnInItsFormatWhateverApplicationsDoToJavaUtilLogging(int java) throws Exception {
        assumeTrue(InstalledJava.home(java).isPresent());
        String home = InstalledJava.home(java).orElseThrow().toString();
        prepare("");
        try (Product product = Product.process()
                .environment(Map.of("JAVA_HOME", home))
                .launch("start", "--base=" + base)
                .awaitStart()) {
            assertEquals("2 null", Curl.run(product.url("/taker/page.jsp")).strip());
            assertEquals(500, Curl.status(product.url("/taker/fails.jsp")));
            product.awaitLine("MILLRACE4600");

            Files.delete(base.resolve("webapps/taker.war"));
            product.awaitLine("MILLRACE4771");
            Files.writeString(
                    Files.createDirectories(base.resolve("webapps/later")).resolve("index.html"), "later");
            product.awaitLine("MILLRACE4770: Deployed " + base.resolve("webapps/later"));
            awaitNoneOf(LogTaker.Bridge.class.getName(), product);
            assertEquals(0, product.terminate().exitStatus());
            assertTrue(product.has("MILLRACE0604: Stopped"), product.output());

            assertEquals(List.of(), strangeLines(product), product.output());
            int logged = product.lines().indexOf(product.awaitLine("com.example.taker: logged"));
            assertEquals("\tby java.util.logging", product.lines().get(logged + 1));
        }
    }

    @Test
    void goesWhereTheOperatorsFileForJavaUtilLoggingSaysThoughAnApplicationHasOneToo() throws Exception {
        prepare("handlers=java.util.logging.ConsoleHandler\n.level=SEVERE\n");
        Path log = base.resolve("server.log");
        Path file = Files.writeString(base.resolve("logging.properties"), """
                handlers=1server.java.util.logging.FileHandler
                1server.java.util.logging.FileHandler.pattern=%s
                1server.java.util.logging.FileHandler.formatter=java.util.logging.SimpleFormatter
                io.millrace.level=FINE
                """.formatted(log));
        Map<String, String> environment = Map.of("JAVA_OPTS", "-Djava.util.logging.config.file=" + file);
        try (Product product = Product.process()
                .environment(environment)
                .launch("start", "--base=" + base)
                .awaitStart()) {
            assertEquals(500, Curl.status(product.url("/taker/fails.jsp")));
            assertEquals(0, product.terminate().exitStatus());
            String written = Files.readString(log);
            assertTrue(written.contains("MILLRACE0002"), written);
            assertTrue(written.contains("MILLRACE4600"), written);
            assertTrue(written.contains("MILLRACE0604"), written);
            assertTrue(!product.has("MILLRACE0002"), product.output());
        }
    }

    @Test
    void tellsThatTheServerStoppedGracefullyWhenItsTerminalWasClosed() throws Exception {
        prepare("");
        try (Product product = Product.process().serving("start", "--base=" + base)) {
            String pid = Long.toString(product.pid());
            assertEquals(
                    0,
                    new ProcessBuilder("sh", "-c", "kill -HUP " + pid + "; kill -HUP " + pid)
                            .start()
                            .waitFor());
            assertEquals(0, product.exitStatus());
            assertTrue(product.has("MILLRACE0003"), product.output());
            assertTrue(product.has("MILLRACE0604"), product.output());
        }
    }

    /** The classes of an application that is gone are kept by none of its loggers. */
    private static void awaitNoneOf(String type, Product product) throws IOException {
        Path jcmd = InstalledJava.home(25).map(home -> home.resolve("bin/jcmd")).orElse(Path.of("none"));
        if (Files.isExecutable(jcmd)) {
            Deadline.await("no " + type, () -> !histogram(jcmd, product).contains(type));
        }
    }

    /** Of the heap, after a full collection. */
    private static String histogram(Path jcmd, Product product) {
        try {
            Process process = new ProcessBuilder(jcmd.toString(), Long.toString(product.pid()), "GC.class_histogram")
                    .redirectErrorStream(true)
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is neither a line of the log nor the rest of one, but for what the start prints. */
    private static List<String> strangeLines(Product product) {
        return product.lines().stream()
                .filter(line -> !LINE.matcher(line).matches())
                .filter(line -> !line.startsWith("\t") && !line.startsWith("http://"))
                .filter(line -> !line.contains("is ready after"))
                .toList();
    }

    private void prepare(String loggingProperties) throws IOException {
        Files.writeString(Files.createDirectories(base.resolve("conf")).resolve("server.xml"), """
                <Server><Service><Connector port="0" address="127.0.0.1"/><Engine defaultHost="localhost">
                <Host name="localhost" backgroundProcessorDelay="1"/></Engine></Service></Server>
                """);
        Files.createDirectories(base.resolve("webapps"));
        war("taker.war", loggingProperties);
    }

    private void war(String name, String loggingProperties) throws IOException {
        Path made = base.resolve("new.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(made))) {
            add(zip, "WEB-INF/web.xml", """
                    <web-app version="3.1"><listener><listener-class>%s</listener-class></listener></web-app>
                    """.formatted(LogTaker.class.getName()).getBytes(StandardCharsets.UTF_8));
            add(zip, "page.jsp", PAGE.getBytes(StandardCharsets.UTF_8));
            add(zip, "fails.jsp", "<%= Integer.parseInt(\"\") %>".getBytes(StandardCharsets.UTF_8));
            for (Class<?> type : List.of(LogTaker.class, LogTaker.Bridge.class)) {
                String file = type.getName().replace('.', '/') + ".class";
                try (InputStream in = Objects.requireNonNull(LogIT.class.getResourceAsStream("/" + file))) {
                    add(zip, "WEB-INF/classes/" + file, in.readAllBytes());
                }
            }
            if (!loggingProperties.isEmpty()) {
                add(zip, "WEB-INF/classes/logging.properties", loggingProperties.getBytes(StandardCharsets.UTF_8));
            }
        }
        Files.move(made, base.resolve("webapps").resolve(name));
    }

    private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content);
    }
}
