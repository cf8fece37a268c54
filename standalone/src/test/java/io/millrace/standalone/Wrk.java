package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The load generator wrk, under way. */
final class Wrk implements AutoCloseable {

    private final Process process;
    private final CompletableFuture<String> output;

    private Wrk(Process process) {
        this.process = process;
        this.output = Command.outputOf(process);
    }

    static Wrk start(int connections, int seconds, String url, String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of("wrk", "-t1", "-c" + connections, "-d" + seconds + "s"));
        words.addAll(List.of("--timeout", Deadline.DEFAULT.toSeconds() + "s"));
        words.addAll(List.of(options));
        words.add(url);
        return new Wrk(Command.start(words));
    }

    /** Ends it before its time; it prints its figures all the same. */
    Wrk interrupt() throws Exception {
        Command.succeed("kill", "-INT", Long.toString(process.pid()));
        return this;
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /** Waits for its end. Requests were answered, all of them with a good status, and no connection failed. */
    void assertNothingFailed() throws Exception {
        String figures = Deadline.await(output);
        assertEquals(0, process.waitFor(), figures);
        assertFalse(figures.contains("Socket errors"), figures);
        assertFalse(figures.contains("Non-2xx"), figures);
        assertTrue(figures.contains("requests in") && !figures.contains(" 0 requests in"), figures);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
