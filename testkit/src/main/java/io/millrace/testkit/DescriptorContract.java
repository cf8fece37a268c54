package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * How every transport behaves when its process is out of file descriptors. Runs in a process of its own, on the class
 * path.
 */
@Timeout(60)
public abstract class DescriptorContract {

    /** Processor time per second of a process that must not spin. */
    private static final long MAX_MILLIS = 600;

    /** The name of the transport, by which {@link java.util.ServiceLoader} finds it. */
    protected abstract String transport();

    @EnabledOnOs(OS.LINUX)
    @Test
    void goesOnWhenDescriptorsAreFreeAgainAndDoesNotSpinMeanwhile() throws Exception {
        Process server = start();
        List<RawClient> clients = new ArrayList<>();
        try {
            int port = Integer.parseInt(firstLine(server));
            for (int i = 0; i < 100; i++) {
                clients.add(RawClient.connect(port).send("x"));
            }
            assertEquals("x", clients.get(0).readText(1));
            RawClient waiting = clients.get(clients.size() - 1);
            long spent = Long.MAX_VALUE;
            for (int second = 0; spent >= MAX_MILLIS && second < 5; second++) { // the JIT may be busy at first
                long before = cpuMillis(server);
                assertTrue(waiting.isSilentFor(Duration.ofSeconds(1)), "no descriptor left for it");
                spent = cpuMillis(server) - before;
            }
            assertTrue(
                    spent < MAX_MILLIS, "the server used " + spent + " ms of processor time in each second of waiting");
            for (int i = 0; i < 99; i++) {
                clients.get(i).close();
            }
            assertEquals("x", waiting.readText(1));
        } finally {
            server.destroyForcibly();
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    private Process start() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String command = "ulimit -n 70; exec \"$0\" -XX:TieredStopAtLevel=1 -Xmx64m -XX:+UseSerialGC -cp \"$1\" "
                + EchoMain.class.getName() + " " + transport();
        return new ProcessBuilder("sh", "-c", command, java, System.getProperty("java.class.path"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static String firstLine(Process server) throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.US_ASCII));
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the server did not start");
        }
        return line;
    }

    private static long cpuMillis(Process server) {
        return server.info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
    }
}
