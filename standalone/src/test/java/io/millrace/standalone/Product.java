package io.millrace.standalone;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The built distribution, running, and what it prints. It runs in the JVM of the tests, where a start costs a tenth, unless a
 * process of its own is what the test is about: {@link #process()}.
 */
final class Product implements AutoCloseable {

    static final Path EXAMPLES = Path.of(System.getProperty("millrace.examples", ""));
    static final Path JOLOKIA = Path.of(System.getProperty("millrace.jolokia", ""));
    static final Path SPRING_BOOT = Path.of(System.getProperty("millrace.spring-boot", ""));
    static final Path SPRING_MVC = Path.of(System.getProperty("millrace.spring-mvc", ""));
    static final Path STRUTS = Path.of(System.getProperty("millrace.struts", ""));

    /** Of a WAR of 30 MB that starts forty applications, on a machine with other things to do. */
    static final Duration LONGEST_START = Duration.ofMinutes(3);

    private static final String READY = "is ready after";
    private static final Path WARS = Path.of(System.getProperty("millrace.wars", ""));

    private static final Pattern URL = Pattern.compile("https?://localhost:(\\d+)/.*");

    private final ProductRun run;
    private final ProductLines lines;

    Product(ProductRun run, ProductLines lines) {
        this.run = run;
        this.lines = lines;
    }

    /** A WAR or an application's directory that others made, by its name without version and ending. */
    static String war(String name) {
        Path directory = WARS.resolve(name);
        return Files.isDirectory(directory) ? directory.toString() : directory + ".war";
    }

    /** Starts it in this JVM and returns at once. */
    static Product launch(String... arguments) throws IOException {
        return EmbeddedProduct.launch(arguments);
    }

    /** Starts it in this JVM and waits until it serves. */
    static Product serving(String... arguments) throws IOException {
        return launch(arguments).awaitStart();
    }

    /**
     * A process of its own: for what depends on signals, the start script, stdout, environment variables, archives, modules, the
     * version of Java, logging.properties, Kerberos, or is measured by the process.
     */
    static ProductProcess process() {
        return new ProductProcess(List.of(), Map.of());
    }

    /** Waits until it serves, for much longer than anything else should take. */
    Product awaitStart() {
        try {
            Deadline.await("the start", LONGEST_START, () -> has(READY) || lines.hasEnded());
        } catch (AssertionError late) {
            throw new AssertionError(late.getMessage() + ": " + output(), late);
        }
        awaitLine(READY);
        return this;
    }

    /** Waits for a line that holds a text. */
    String awaitLine(String text) {
        Deadline.await("a line with \"" + text + "\" in " + output(), () -> has(text) || lines.hasEnded());
        return lines().stream()
                .filter(line -> line.contains(text))
                .findFirst()
                .orElseThrow(() -> new AssertionError("ended without \"" + text + "\": " + output()));
    }

    /** The ports of the URLs it printed, in that order, each once. */
    List<Integer> ports() {
        return lines().stream()
                .map(URL::matcher)
                .filter(Matcher::matches)
                .map(url -> Integer.valueOf(url.group(1)))
                .distinct()
                .toList();
    }

    /** The address of a path on its first port. */
    String url(String path) {
        return "http://localhost:" + ports().get(0) + path;
    }

    boolean has(String text) {
        return lines.has(text);
    }

    List<String> lines() {
        return lines.all();
    }

    String output() {
        return String.join("\n", lines());
    }

    /** Of a process of its own, for signals and measurements. */
    long pid() {
        if (!run.isAlone()) {
            throw new IllegalStateException("not a process of its own; start it by Product.process()");
        }
        return run.pid();
    }

    /** The JVM that it runs in, whose threads may be looked at. */
    long jvm() {
        return run.pid();
    }

    /** As by SIGTERM, without waiting. */
    Product terminate() {
        run.terminate();
        return this;
    }

    int exitStatus() throws InterruptedException {
        return run.exitStatus();
    }

    /** SIGKILL to a process; in this JVM, a stop that waits for no request. */
    @Override
    public void close() {
        run.close();
    }
}
