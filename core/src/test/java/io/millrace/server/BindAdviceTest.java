package io.millrace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.io.ListeningProcesses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The advice on an address that cannot be listened on … */
class BindAdviceTest {

    private static final String UNKNOWN =
            "; choose another port, or stop the process that listens there (ss -ltnp shows it)";

    @Test
    void namesACommandWhereTheProcessIsUnknown(@TempDir Path empty) {
        assertEquals(UNKNOWN, new BindAdvice(new ListeningProcesses(empty)).ofTaken(8080));
    }

    @Test
    void namesThisProcessOnLinux() throws IOException {
        assumeTrue(Files.isReadable(Path.of("/proc/net/tcp")));
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String said = BindAdvice.explain("Address already in use", socket.getLocalPort());
            assertTrue(
                    said.startsWith("Address already in use by process "
                            + ProcessHandle.current().pid() + " ("),
                    said);
        }
    }

    @Test
    void saysWhatPortsAndAddressesNeed() {
        assertTrue(BindAdvice.explain("Permission denied", 80).contains("; ports below 1024 need root"));
        assertTrue(
                BindAdvice.explain("Cannot assign requested address", 80).contains("this machine has no such address"));
        assertEquals("Weather", BindAdvice.explain("Weather", 80));
    }
}
