package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.ListeningProcesses.Listener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The processes that listen on a port … */
class ListeningProcessesTest {

    private static final String HEAD =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

    /** Port 8080 is connected by one socket and listened on by another. */
    private static final String SOCKETS = HEAD
            + "   0: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 666 1 0\n"
            + "   1: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 777 1 0\n";

    @TempDir
    Path proc = Path.of("");

    @BeforeEach
    void makeProcesses() throws IOException {
        Files.createDirectories(proc.resolve("net"));
        makeProcess("41", "socket:[666]");
        makeProcess("42", "socket:[777]");
        makeProcess("9", "socket:[777]");
    }

    private void makeProcess(String process, String socket) throws IOException {
        Path descriptors = Files.createDirectories(proc.resolve(process).resolve("fd"));
        Files.createSymbolicLink(descriptors.resolve("7"), Path.of(socket));
        Files.writeString(proc.resolve(process).resolve("comm"), "catalina" + process + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "tcp6"})
    void areAllThatHoldTheSocket(String table) throws IOException {
        Files.writeString(proc.resolve("net").resolve(table), SOCKETS);
        assertEquals(
                List.of(new Listener(9, "catalina9"), new Listener(42, "catalina42")),
                new ListeningProcesses(proc).on(8080));
        assertEquals(List.of(), new ListeningProcesses(proc).on(8081));
    }

    @Test
    void areUnknownWhereTheirFilesCannotBeRead() throws IOException {
        assertEquals(List.of(), new ListeningProcesses(proc).on(8080));
        assertEquals(List.of(), new ListeningProcesses(proc.resolve("none")).on(8080));
        Files.writeString(proc.resolve("net/tcp"), SOCKETS);
        Files.delete(proc.resolve("9/fd/7"));
        Files.delete(proc.resolve("42/fd/7"));
        Files.delete(proc.resolve("42/fd"));
        assertEquals(List.of(), new ListeningProcesses(proc).on(8080));
    }
}
