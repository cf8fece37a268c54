package io.millrace.standalone;

import io.millrace.testkit.Deadline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The built distribution, run as a process of its own, and what it prints. */
final class Product implements AutoCloseable {

    static final Path EXAMPLES = Path.of(System.getProperty("millrace.examples", ""));
    static final Path JOLOKIA = Path.of(System.getProperty("millrace.jolokia", ""));
    static final Path SPRING_BOOT = Path.of(System.getProperty("millrace.spring-boot", ""));
    static final Path SPRING_MVC = Path.of(System.getProperty("millrace.spring-mvc", ""));
    static final Path STRUTS = Path.of(System.getProperty("millrace.struts", ""));

    /** Of a WAR of 30 MB that starts forty applications, on a machine with other things to do. */
    private static final Duration LONGEST_START = Duration.ofMinutes(3);

    private static final String READY = "is ready after";
    private static final Path WARS = Path.of(System.getProperty("millrace.wars", ""));

    private static final Path SCRIPT =
            Path.of(System.getProperty("millrace.dist", "")).resolve("bin/millrace");
    private static final Pattern URL = Pattern.compile("https?://localhost:(\\d+)/.*");

    private final Process process;
    private final List<String> lines = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    private Product(Process process) {
        this.process = process;
        Thread reader = new Thread(this::readLines, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** A WAR or an application's directory that others made, by its name without version and ending. */
    static String war(String name) {
        Path directory = WARS.resolve(name);
        return Files.isDirectory(directory) ? directory.toString() : directory + ".war";
    }

    /** Starts it and returns at once. */
    static Product launch(String... arguments) throws IOException {
        return launch(Map.of(), arguments);
    }

    static Product launch(Map<String, String> environment, String... arguments) throws IOException {
        return launch(List.of(), environment, arguments);
    }

    /** Starts it by another program, which has its command behind its own words. */
    static Product launchBy(List<String> starter, String... arguments) throws IOException {
        return launch(starter, Map.of(), arguments);
    }

    private static Product launch(List<String> starter, Map<String, String> environment, String... arguments)
            throws IOException {
        // a build under nohup ignores SIGHUP, and so would every process that it starts
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP"));
        command.addAll(starter);
        command.add(SCRIPT.toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        process.getOutputStream().close();
        return new Product(process);
    }

    /** Starts it and waits until it serves. */
    static Product serving(String... arguments) throws IOException {
        return launch(arguments).awaitStart();
    }

    /** Waits until it serves, for much longer than anything else should take. */
    Product awaitStart() {
        try {
            Deadline.await("the start", LONGEST_START, () -> has(READY) || ended.getCount() == 0);
        } catch (AssertionError late) {
            throw new AssertionError(late.getMessage() + ": " + output(), late);
        }
        awaitLine(READY);
        return this;
    }

    /** Waits for a line that holds a text. */
    String awaitLine(String text) {
        Deadline.await("a line with \"" + text + "\" in " + output(), () -> has(text) || ended.getCount() == 0);
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
        return lines().stream().anyMatch(line -> line.contains(text));
    }

    List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    String output() {
        return String.join("\n", lines());
    }

    long pid() {
        return process.pid();
    }

    /** SIGTERM, without waiting. By the handle, since the process itself would close its output too. */
    Product terminate() {
        process.toHandle().destroy();
        return this;
    }

    int exitStatus() throws InterruptedException {
        if (!process.waitFor(Deadline.DEFAULT.toMillis(), TimeUnit.MILLISECONDS)
                || !ended.await(Deadline.DEFAULT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("still running: " + output());
        }
        return process.exitValue();
    }

    /** SIGKILL, and waits. By the handle, as above. */
    @Override
    public void close() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }

    private void readLines() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                }
            }
        } catch (IOException e) {
            if (process.isAlive()) { // the output of one that is killed ends like this
                throw new UncheckedIOException(e);
            }
        } finally {
            ended.countDown();
        }
    }
}
