package io.millrace.connector.nio;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.Probe;
import io.millrace.testkit.TestTls;
import io.millrace.testkit.TransportHarness;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that is not the JDK's. */
@Timeout(60)
class TlsWithOpenSslTest {

    private final TransportHarness harness = TransportHarness.secured(new NioTransportProvider(), TestTls.create());

    @BeforeEach
    void needOpenSsl() throws Exception {
        Assumptions.assumeTrue(new File("/usr/bin/openssl").canExecute(), "openssl is not installed");
        harness.serve(Probe::echo);
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void echoesToEitherVersion(String version) throws Exception {
        String output = client(
                List.of("hello from openssl"), version, "-servername", "a.millrace.test", "-alpn", "h2,http/1.1");
        assertTrue(output.contains("ALPN protocol: http/1.1"), output);
        assertTrue(output.contains("\nhello from openssl"), output);
    }

    @Test
    void resumesASession(@TempDir File folder) throws Exception {
        String session = new File(folder, "session").getPath();
        for (String version : List.of("-tls1_2", "-tls1_3")) {
            assertTrue(client(List.of("the first line"), version, "-sess_out", session)
                    .contains("\nNew, TLSv1."));
            String output = client(List.of("the second line"), version, "-sess_in", session);
            assertTrue(output.contains("\nReused, TLSv1."), output);
        }
    }

    @Test
    void refusesRenegotiation() throws Exception {
        String output = client(List.of("R", "after the renegotiation"), "-tls1_2");
        assertTrue(output.contains("RENEGOTIATING"), output);
        assertFalse(output.contains("\nafter the renegotiation"), output);
    }

    @Test
    void answersAKeyUpdate() throws Exception {
        String output = client(List.of("K", "after the key update"), "-tls1_3");
        assertTrue(output.contains("KEYUPDATE"), output);
        assertTrue(output.contains("\nafter the key update"), output);
    }

    /** Types the lines, each after the response to the previous one, and returns all output. */
    private String client(List<String> lines, String... options) throws IOException, InterruptedException {
        int port = ((InetSocketAddress) harness.address()).getPort();
        List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-connect", "localhost:" + port));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        StringBuilder output = new StringBuilder();
        Thread reader = new Thread(() -> read(process, output));
        reader.start();
        awaitOutput(output, "Verify return code", process);
        try {
            for (String line : lines) {
                process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
                process.getOutputStream().flush();
                awaitOutput(output, answerTo(line), process);
            }
            process.getOutputStream().close();
        } catch (IOException ended) {
            // the server closed the connection, and openssl ended
        }
        assertTrue(process.waitFor(20, TimeUnit.SECONDS), "openssl must end");
        reader.join(10_000);
        synchronized (output) {
            return output.toString();
        }
    }

    /** The output of openssl for its commands, and of the server for all else. */
    private static String answerTo(String line) {
        return switch (line) {
            case "R" -> "RENEGOTIATING";
            case "K" -> "KEYUPDATE";
            default -> "\n" + line;
        };
    }

    /** Waits for this output, or for the end of the process. */
    private static void awaitOutput(StringBuilder output, String what, Process process) {
        Deadline.await(what, () -> {
            synchronized (output) {
                return output.indexOf(what) >= 0 || !process.isAlive();
            }
        });
    }

    private static void read(Process process, StringBuilder into) {
        byte[] buffer = new byte[4_096];
        try {
            for (int count = process.getInputStream().read(buffer);
                    count >= 0;
                    count = process.getInputStream().read(buffer)) {
                synchronized (into) {
                    into.append(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
                }
            }
        } catch (IOException ended) {
            // the process has ended
        }
    }
}
