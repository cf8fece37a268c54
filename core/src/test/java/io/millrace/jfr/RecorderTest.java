package io.millrace.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The events of a server … */
class RecorderTest {

    private static final String QUIET = "nothing records";

    /** A process of its own, in which nothing else has used the flight recorder. */
    static final class Server {

        private Server() {}

        public static void main(String[] none) {
            assertNull(Recorder.request());
            assertNull(Recorder.deployment());
            assertNull(Recorder.handshake());
            assertNull(Recorder.backendRequest());
            assertNull(Recorder.sessionStore());
            Recorder.limitExceeded("maxThreads");
            System.out.println(QUIET);
            try (Recording recording = new Recording()) {
                recording.enable("io.millrace.Deployment");
                recording.start();
                assertNotNull(Recorder.deployment());
            }
        }
    }

    @Test
    @Timeout(120)
    void initializeTheFlightRecorderOnlyWhenSomebodyRecords() throws Exception {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Server.class.getName())
                .redirectErrorStream(true)
                .start();
        List<String> lines;
        try (BufferedReader output = server.inputReader()) {
            lines = output.lines().toList();
        }
        assertEquals(0, server.waitFor(), () -> String.join("\n", lines));
        List<String> before = lines.subList(0, lines.indexOf(QUIET));
        assertEquals(
                List.of(),
                before.stream()
                        .filter(line -> line.contains(" jdk.jfr.internal."))
                        .toList());
    }
}
