package io.millrace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The advice on an address that cannot be listened on … */
class BindAdviceTest {

    private static final String HEAD =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

    /** Port 8080 is connected by one socket and listened on by another. */
    private static final String SOCKETS = HEAD
            + "   0: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 666 1 0\n"
            + "   1: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 777 1 0\n";

    private static final String UNKNOWN =
            "; choose another port, or stop the process that listens there (ss -ltnp shows it)";

    @TempDir
    Path proc = Path.of("");

    @BeforeEach
    void makeProcesses() throws IOException {
        Files.createDirectories(proc.resolve("net"));
        for (String process : new String[] {"41", "42"}) {
            Path descriptors = Files.createDirectories(proc.resolve(process).resolve("fd"));
            String socket = process.equals("42") ? "socket:[777]" : "socket:[666]";
            Files.createSymbolicLink(descriptors.resolve("7"), Path.of(socket));
            Files.writeString(proc.resolve(process).resolve("comm"), "catalina" + process + "\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "tcp6"})
    void namesTheProcessThatListensOnThePort(String table) throws IOException {
        Files.writeString(proc.resolve("net").resolve(table), SOCKETS);
        assertEquals(
                " by process 42 (catalina42); choose another port, or stop that process",
                new BindAdvice(proc).ofTaken(8080));
        assertEquals(UNKNOWN, new BindAdvice(proc).ofTaken(8081));
    }

    @Test
    void namesACommandWhereTheProcessIsUnknown() throws IOException {
        assertEquals(UNKNOWN, new BindAdvice(proc).ofTaken(8080));
        assertEquals(UNKNOWN, new BindAdvice(proc.resolve("none")).ofTaken(8080));
        Files.writeString(proc.resolve("net/tcp"), SOCKETS);
        Files.delete(proc.resolve("42/fd/7"));
        assertEquals(UNKNOWN, new BindAdvice(proc).ofTaken(8080));
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
