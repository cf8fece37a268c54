package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program whose server is stopped at shutdown, in a process of its own. It … */
@Timeout(60)
class ShutdownTest {

    /** The JVM's own status for a signal: 128 and its number. */
    private static final int TERMINATED = 143;

    /** A second SIGTERM, or one while the program stops its server, does no harm. */
    @ParameterizedTest
    @CsvSource({"wait, 1", "wait, 2", "stop, 1"})
    void finishesARequestAfterSigtermAndAcceptsNothingNew(String way, int signals) throws Exception {
        try (Child child = new Child(way);
                RawClient client = RawClient.connect(child.port())) {
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            child.awaitLine("entered");
            if (way.equals("stop")) {
                Client.awaitRefusal(child.port());
            }
            for (int i = 0; i < signals; i++) {
                child.process.toHandle().destroy();
            }
            Client.awaitRefusal(child.port());
            assertTrue(child.process.isAlive());
            child.write("x");
            String response = client.readTextToEnd();
            assertTrue(response.startsWith("HTTP/1.1 200 "), response);
            assertTrue(response.contains("Connection: close"), response);
            assertTrue(response.contains("\r\n\r\nfinished after x"), response);
            child.awaitLine("application stopped");
            assertEquals(TERMINATED, child.exitStatus());
        }
    }

    @Test
    void endsWhenAHandlerCallsExit() throws Exception {
        try (Child child = new Child("exit-in-handler");
                RawClient client = RawClient.connect(child.port())) {
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            child.awaitLine("application stopped");
            assertEquals(7, child.exitStatus());
        }
    }

    @Test
    void reportsThatAServerCannotStartDuringTheShutdown() throws Exception {
        try (Child child = new Child("start-in-hook")) {
            child.awaitLine("the server cannot start: the JVM is shutting down");
            assertEquals(0, child.exitStatus());
        }
    }

    /** The program, and what it prints. */
    private static final class Child implements AutoCloseable {

        private final Process process;
        private final BufferedReader output;
        private int port;

        Child(String way) throws IOException {
            process = new ProcessBuilder(
                            ProcessHandle.current().info().command().orElse("java"),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ShutdownProgram.class.getName(),
                            way)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            output = process.inputReader(StandardCharsets.UTF_8);
        }

        int port() throws IOException {
            if (port == 0) {
                port = Integer.parseInt(awaitLine("port ").substring("port ".length()));
            }
            return port;
        }

        String awaitLine(String start) throws IOException {
            StringBuilder before = new StringBuilder();
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(start)) {
                    return line;
                }
                before.append(line).append('\n');
            }
            throw new AssertionError("ended without \"" + start + "\": " + before);
        }

        void write(String text) throws IOException {
            process.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
        }

        int exitStatus() throws InterruptedException {
            assertTrue(process.waitFor(Deadline.DEFAULT.toSeconds(), TimeUnit.SECONDS), "still running");
            return process.exitValue();
        }

        @Override
        public void close() {
            process.toHandle().destroyForcibly();
            process.onExit().join();
        }
    }
}
