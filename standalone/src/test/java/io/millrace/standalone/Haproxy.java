package io.millrace.standalone;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The real haproxy before one port, for one test. */
final class Haproxy implements AutoCloseable {

    private final Process process;
    private final int port;

    private Haproxy(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts it and waits until it listens.
     *
     * @param bind what is said of its own port besides the address
     * @param server what is said of the server besides the address: how it tells whom it speaks for
     */
    static Haproxy before(int target, String bind, String server, Path directory) throws IOException {
        return start(bind, "server millrace 127.0.0.1:%d %s".formatted(target, server), directory);
    }

    /** The same with a line of its configuration that names the server. */
    static Haproxy by(String serverLine, Path directory) throws IOException {
        return start("", serverLine, directory);
    }

    private static Haproxy start(String bind, String serverLine, Path directory) throws IOException {
        int port = LocalPort.free();
        Path file = Files.createTempFile(directory, "haproxy", ".cfg");
        Files.writeString(file, """
                defaults
                  mode tcp
                  timeout connect 20s
                  timeout client 20s
                  timeout server 20s
                listen test
                  bind 127.0.0.1:%d %s
                  %s
                """.formatted(port, bind, serverLine));
        Process process = new ProcessBuilder(List.of("haproxy", "-db", "-q", "-f", file.toString()))
                .inheritIO()
                .start();
        Haproxy proxy = new Haproxy(process, port);
        Deadline.await("haproxy to listen", () -> !process.isAlive() || LocalPort.isOpen(port));
        return proxy;
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
