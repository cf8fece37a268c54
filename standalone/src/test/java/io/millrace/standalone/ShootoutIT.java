package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A shoot-out of the built product … */
final class ShootoutIT {

    private static final Pattern RATE = Pattern.compile("\"responsesPerSecond\":([0-9.]+)");

    @TempDir
    private Path directory = Path.of("");

    /** With a directory for temporary files of its own, so that what is left can be seen. */
    private Product launch(String... options) throws IOException {
        String[] words =
                Stream.concat(Stream.of("shootout"), Stream.of(options)).toArray(String[]::new);
        Files.createDirectories(temporary());
        return Product.process()
                .environment(Map.of("JAVA_OPTS", "-XX:TieredStopAtLevel=1 -Djava.io.tmpdir=" + temporary()))
                .launch(words);
    }

    /** What takes seconds takes many more beside other tests. */
    private static int end(Product product) throws InterruptedException {
        ProcessHandle process = ProcessHandle.of(product.pid()).orElse(null);
        Deadline.await("the end", Product.LONGEST_START, () -> process == null || !process.isAlive());
        return product.exitStatus();
    }

    private Path temporary() {
        return directory.resolve("tmp");
    }

    private void assertNothingIsLeft() throws IOException {
        try (Stream<Path> files = Files.list(temporary())) {
            assertEquals(
                    List.of(),
                    files.filter(file -> file.getFileName().toString().startsWith("millrace-shootout"))
                            .toList());
        }
    }

    @Test
    void measuresAConnectorAndWritesTheFigures() throws Exception {
        Path json = directory.resolve("figures.json");
        Path report = directory.resolve("report.html");
        try (Product product = launch(
                "--quick",
                "--transports=nio",
                "--tls=plain,jsse",
                "--sizes=servlet",
                "--clients=2",
                "--rounds=2",
                "--no-async",
                "--report=" + report,
                "--json=" + json)) {
            assertEquals(0, end(product), product.output());
            List<String> lines = product.lines();
            assertTrue(lines.stream().anyMatch(line -> line.matches("  nio +[0-9.,]+")), product.output());
            String last = lines.get(lines.size() - 1);
            assertTrue(
                    last.contains("only nio JSSE was measured")
                            || last.contains("too busy to tell")
                            || last.contains("inconclusive"),
                    last);
        }
        String figures = Files.readString(json);
        List<Double> rates = RATE.matcher(figures)
                .results()
                .map(rate -> Double.valueOf(rate.group(1)))
                .toList();
        assertEquals(2 * 3, rates.size(), figures); // of each connector the median and two rounds
        assertTrue(rates.stream().allMatch(rate -> rate > 0), figures);
        assertTrue(
                figures.contains("\"connector\":\"nio\",\"tls\":\"plain\",\"workload\":\"servlet\",\"clients\":2"),
                figures);
        assertTrue(Files.readString(report).contains("<svg "));
        assertNothingIsLeft();
    }

    /** A page of an application, which other servers of this machine have too: one process, and a master with workers. */
    @Test
    void measuresAPageOfAnApplicationBesideOtherServers() throws Exception {
        Path shop = Files.createDirectories(directory.resolve("shop"));
        Files.writeString(shop.resolve("list.html"), "<!DOCTYPE html><title>List</title>");
        Path json = directory.resolve("figures.json");
        try (Product other = Product.serving("run", "--port=0", shop.toString());
                Httpd httpd = new Httpd.Builder(directory.resolve("httpd"))
                        .plain(
                                "front",
                                "ProxyPass / http://127.0.0.1:" + other.ports().get(0) + "/")
                        .start()
                        .awaitReady();
                Product product = launch(
                        shop.toString(),
                        "--url=/shop/list.html",
                        "--transports=nio",
                        "--tls=plain",
                        "--clients=2",
                        "--rounds=2",
                        "--beside=other=http://localhost:" + other.ports().get(0) + ",httpd=http://localhost:"
                                + httpd.port("front"),
                        "--json=" + json)) {
            assertEquals(0, end(product), product.output());
        }
        String figures = Files.readString(json);
        String found = "\"tls\":\"plain\",\"workload\":\"/shop/list.html\",\"clients\":2,";
        assertTrue(figures.contains("{\"connector\":\"nio\"," + found), figures);
        assertTrue(figures.contains("{\"connector\":\"other\"," + found), figures);
        assertFalse(figures.contains("\"cpuMicros\":null"), figures);
        Matcher httpd = Pattern.compile("\"connector\":\"httpd\".*?\"cpuMicros\":([0-9.]+)")
                .matcher(figures);
        assertTrue(httpd.find(), figures);
        assertTrue(Double.parseDouble(httpd.group(1)) > 10, () -> "its workers count in " + figures);
        try (Product product = launch(shop.toString(), "--url=/shop/lost.html", "--transports=nio", "--tls=plain")) {
            assertEquals(1, end(product), product.output());
            assertTrue(
                    product.has(
                            "nio: GET /shop/lost.html: status 404; expected an answer with status 200 (--url names another"),
                    product.output());
        }
        assertNothingIsLeft();
    }

    @Test
    @Tag("soak")
    void comparesServletsThatWait() throws Exception {
        Path json = directory.resolve("figures.json");
        try (Product product = launch(
                "--quick", "--transports=nio", "--tls=plain", "--sizes=servlet", "--rounds=2", "--json=" + json)) {
            assertEquals(0, end(product), product.output());
            assertTrue(product.has("nio, asynchronous"), product.output());
        }
        assertTrue(Files.readString(json).contains("\"transport\":\"nio\",\"asynchronous\":true,\"clients\":400"));
    }

    /** Whatever ends it: Ctrl-C and kill are handled, and after a SIGKILL the servers see that it has gone. */
    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "KILL"})
    void leavesNoProcess(String signal) throws Exception {
        try (Product product =
                launch("--transports=nio", "--tls=plain", "--sizes=servlet", "--clients=2", "--seconds=600")) {
            product.awaitLine("Measuring");
            ProcessHandle shootout = ProcessHandle.of(product.pid()).orElseThrow();
            Deadline.await("a server", () -> shootout.children().findAny().isPresent());
            List<ProcessHandle> servers = shootout.descendants().toList();
            Command.succeed("kill", "-" + signal, String.valueOf(product.pid()));
            assertNotEquals(0, product.exitStatus());
            for (ProcessHandle server : servers) {
                server.onExit().get(Deadline.DEFAULT.toMillis(), TimeUnit.MILLISECONDS);
            }
            assertFalse(product.has("Exception"), product.output());
        }
        if (!signal.equals("KILL")) {
            assertNothingIsLeft();
        }
    }

    @Test
    void saysBeforeTheFirstMeasurementWhatIsMissing() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            refuses("taken: " + port + "); name a larger or another range", "--ports=" + port + "-" + port);
        }
        refuses("MiB are available; measure fewer at a time", "--heap=9999g");
        refuses("none of the connectors can be measured here: apr is left out: ", "--transports=apr");
    }

    private void refuses(String expected, String option) throws Exception {
        Files.createDirectories(temporary());
        Command command = Command.run(
                "",
                Map.of("JAVA_OPTS", "-XX:TieredStopAtLevel=1 -Dmillrace.apr.library=/nowhere/libapr-1.so"),
                List.of(
                        Path.of(System.getProperty("millrace.dist", ""), "bin", "millrace")
                                .toString(),
                        "shootout",
                        option));
        assertEquals(1, command.status(), command.output());
        assertTrue(command.output().contains(expected), command.output());
        assertFalse(command.output().contains("Measuring"), command.output());
    }
}
