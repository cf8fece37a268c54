package io.millrace.standalone;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A program of the system, and what it printed: both streams in one. */
record Command(int status, String output) {

    /** Runs it to its end, and fails after a deadline. */
    static Command run(String input, List<String> words) throws Exception {
        return run(input, Map.of(), words);
    }

    /** The same with more in its environment. */
    static Command run(String input, Map<String, String> environment, List<String> words) throws Exception {
        Process process = start(environment, words);
        try {
            CompletableFuture<String> output = outputOf(process);
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.ISO_8859_1));
            } catch (IOException ended) {
                // It did not read all; what it printed says why.
            }
            String printed = Deadline.await(output);
            if (!process.waitFor(Deadline.DEFAULT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("still running: " + String.join(" ", words));
            }
            return new Command(process.exitValue(), printed);
        } finally {
            process.destroyForcibly();
        }
    }

    /** The same, for one that must end with status 0. */
    static String succeed(String... words) throws Exception {
        return succeed(Map.of(), words);
    }

    static String succeed(Map<String, String> environment, String... words) throws Exception {
        Command command = run("", environment, List.of(words));
        if (command.status != 0) {
            throw new AssertionError(
                    String.join(" ", words) + " ended with status " + command.status + ": " + command.output);
        }
        return command.output;
    }

    /** Under way. */
    static Process start(List<String> words) throws IOException {
        return start(Map.of(), words);
    }

    static Process start(Map<String, String> environment, List<String> words) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** All that a process prints until its end; read on another thread, so that it never waits for a reader. */
    static CompletableFuture<String> outputOf(Process process) {
        CompletableFuture<String> output = new CompletableFuture<>();
        Thread reader = new Thread(
                () -> {
                    try {
                        output.complete(
                                new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
                    } catch (IOException e) {
                        output.completeExceptionally(e);
                    }
                },
                "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
        return output;
    }
}
