package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients of a server that is going to stop in peace: at each port one whose connection is idle, one whose request ends
 * in time, and one whose request never does. The server answers /hold when there is a file, and all else at once.
 */
final class StoppedClients implements AutoCloseable {

    private final List<Integer> ports;
    private final Path release;
    private final List<RawClient> idle = new ArrayList<>();
    private final List<RawClient> running = new ArrayList<>();
    private final List<RawClient> stuck = new ArrayList<>();

    /** Connects them, and sends their requests. */
    StoppedClients(List<Integer> ports, Path files) throws IOException {
        this.ports = ports;
        release = files.resolve("release");
        for (int port : ports) {
            idle.add(RawClient.connect(port));
            running.add(RawClient.connect(port).send(get("/hold?until=" + release)));
            stuck.add(RawClient.connect(port).send(get("/hold?until=" + files.resolve("never"))));
        }
        areServed("200");
    }

    /** How many requests wait in the server. */
    int held() {
        return running.size() + stuck.size();
    }

    /** In the time that load balancers have to look away. */
    void areServedAlthoughItIsDown() throws IOException {
        areServed("503");
        for (int port : ports) {
            try (RawClient late = RawClient.connect(port)) {
                String answer = late.send(get("/where")).readUntil("\r\n\r\n");
                assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
            }
        }
    }

    /** Each keeps its connection. */
    private void areServed(String health) throws IOException {
        for (RawClient each : idle) {
            String answer = head(each, "HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 " + health + " "), answer);
            assertFalse(answer.contains("Connection: close"), answer);
        }
    }

    /** Then: who is idle is sent away, and nobody else comes. */
    void areAloneAndLeaveIfTheyAreIdle() throws IOException {
        for (int port : ports) {
            Deadline.await("port " + port + " to be closed", () -> !LocalPort.isOpen(port));
        }
        for (RawClient each : idle) {
            each.awaitClose();
        }
    }

    /** What ends in time is answered, and no further request is asked for. */
    void getWhatEndsInTime() throws IOException {
        Files.createFile(release);
        for (RawClient each : running) {
            String answer = each.readTextToEnd();
            assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.contains("held"), answer);
            assertTrue(answer.contains("\r\nConnection: close\r\n"), answer);
        }
    }

    /** The rest, when the grace is over. */
    void areCut() throws IOException {
        for (RawClient each : stuck) {
            each.awaitClose();
        }
    }

    private static String head(RawClient client, String request) throws IOException {
        return client.send(request).readUntil("\r\n\r\n");
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    @Override
    public void close() throws IOException {
        for (List<RawClient> each : List.of(idle, running, stuck)) {
            for (RawClient client : each) {
                client.close();
            }
        }
    }
}
