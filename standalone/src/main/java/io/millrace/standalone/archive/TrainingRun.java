package io.millrace.standalone.archive;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the server once; its JVM writes the archive when it exits. */
final class TrainingRun {

    /** Passes the file to the start script, which sets the JVM options. */
    private static final String OUTPUT = "MILLRACE_ARCHIVE_OUTPUT";

    private static final int DEADLINE_SECONDS = 120;

    private final Path home;
    private final Path base;
    private final Path archive;
    private final List<String> lines = new ArrayList<>();

    TrainingRun(Path home, Path base, Path archive) {
        this.home = home;
        this.base = base;
        this.archive = archive;
    }

    /** Returns when the archive has been written. */
    void run() throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        home.resolve("bin/millrace").toString(), "start", "--base", base.toString())
                .redirectErrorStream(true);
        builder.environment().put(OUTPUT, archive.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().remove("JRE_HOME"); // start prefers it
        Process server = builder.start();
        try (BufferedReader output = server.inputReader()) {
            for (URI origin : origins(output)) {
                new TrainingVisitor(origin).visit();
            }
            // not Process.destroy(), which would close the stream of its output
            server.toHandle().destroy();
            output.lines().forEach(lines::add);
            if (!server.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS) || !Files.isRegularFile(archive)) {
                throw new IOException("the JVM wrote no archive; its output:\n" + String.join("\n", lines));
            }
        } finally {
            server.destroyForcibly();
        }
    }

    /** Waits until the server is ready, and returns its URLs. */
    private List<URI> origins(BufferedReader output) throws IOException {
        List<URI> origins = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            lines.add(line);
            if (line.startsWith("http://")) {
                origins.add(URI.create(line));
            }
            if (line.contains(" is ready after ")) {
                return origins;
            }
        }
        throw new IOException("the server did not start; its output:\n" + String.join("\n", lines));
    }
}
