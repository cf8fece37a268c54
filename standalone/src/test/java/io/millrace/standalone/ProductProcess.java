package io.millrace.standalone;

import io.millrace.testkit.Deadline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Starts the distribution by its script, as a process of its own. Immutable. */
record ProductProcess(List<String> starter, Map<String, String> environment) {

    private static final Path SCRIPT =
            Path.of(System.getProperty("millrace.dist", "")).resolve("bin/millrace");

    /** With more in its environment. */
    ProductProcess environment(Map<String, String> more) {
        return new ProductProcess(starter, more);
    }

    /** By another program, which has the command behind its own words. */
    ProductProcess by(String... words) {
        return new ProductProcess(List.of(words), environment);
    }

    /** Starts it and returns at once. */
    Product launch(String... arguments) throws IOException {
        List<String> words = new ArrayList<>(starter);
        words.add(SCRIPT.toString());
        words.addAll(List.of(arguments));
        return program(words);
    }

    /** Starts it by other words than its script's, and returns at once. */
    Product program(List<String> words) throws IOException {
        // a build under nohup ignores SIGHUP, one in the background SIGINT, and so would every process that it starts
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP,INT"));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        process.getOutputStream().close();
        ProductLines lines = new ProductLines();
        Thread reader = new Thread(() -> read(process, lines), "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
        return new Product(new Run(process, lines), lines);
    }

    /** Starts it and waits until it serves. */
    Product serving(String... arguments) throws IOException {
        return launch(arguments).awaitStart();
    }

    private static void read(Process process, ProductLines lines) {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            if (process.isAlive()) { // the output of one that is killed ends like this
                throw new UncheckedIOException(e);
            }
        } finally {
            lines.end();
        }
    }

    private record Run(Process process, ProductLines lines) implements ProductRun {

        @Override
        public long pid() {
            return process.pid();
        }

        @Override
        public boolean isAlone() {
            return true;
        }

        /** By the handle, since the process itself would close its output too. */
        @Override
        public void terminate() {
            process.toHandle().destroy();
        }

        @Override
        public int exitStatus() throws InterruptedException {
            if (!process.waitFor(Deadline.DEFAULT.toMillis(), TimeUnit.MILLISECONDS)
                    || !lines.awaitEnd(Deadline.DEFAULT.toMillis())) {
                throw new AssertionError("still running: " + lines.all());
            }
            return process.exitValue();
        }

        /** SIGKILL, by the handle, as above. */
        @Override
        public void close() {
            process.toHandle().destroyForcibly();
            process.onExit().join();
        }
    }
}
