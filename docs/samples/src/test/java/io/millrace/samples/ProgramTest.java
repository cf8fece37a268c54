package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The complete program of the guide, in a process of its own … */
@Timeout(60)
class ProgramTest {

    private Process program;
    private int port;

    @BeforeEach
    void start() throws IOException {
        program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "0")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String url =
                new BufferedReader(new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8)).readLine();
        port = Integer.parseInt(url.replaceAll("http://localhost:(\\d+)/", "$1"));
    }

    @AfterEach
    void end() throws InterruptedException {
        program.destroyForcibly().waitFor();
    }

    private static String head(BufferedReader answer) throws IOException {
        StringBuilder head = new StringBuilder();
        for (String line = answer.readLine(); line != null && !line.isEmpty(); line = answer.readLine()) {
            head.append(line).append('\n');
        }
        return head.toString();
    }

    @Test
    void greets() throws Exception {
        assertEquals("Hello!\n", new Client(port).get("/").body());
        assertEquals("Hi!", new Client(port).post("/echo", "Hi!").body());
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // has no SIGTERM
    void completesRunningRequestsBeforeSigtermEndsIt() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            String request =
                    "POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            assertTrue(head(answer).startsWith("HTTP/1.1 100"), "the handler reads the body");
            program.destroy(); // SIGTERM
            Client.awaitRefusal(port);
            socket.getOutputStream().write("late".getBytes(StandardCharsets.US_ASCII));
            String head = head(answer);
            assertTrue(head.startsWith("HTTP/1.1 200") && head.contains("Connection: close"), head);
            assertEquals("late", answer.readLine());
        }
        assertTrue(program.waitFor(20, TimeUnit.SECONDS));
    }
}
