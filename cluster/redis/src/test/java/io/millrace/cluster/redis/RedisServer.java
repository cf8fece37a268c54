package io.millrace.cluster.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A redis-server of a test, on a free port of the loopback interface, in a directory of its own. */
public final class RedisServer implements AutoCloseable {

    private static final int ATTEMPTS = 10;
    private static final int LEAST_PORT = 10_000;

    /** Of systems that do not say it. */
    private static final int FIRST_EPHEMERAL = 32_768;

    /** From a node's port to that by which it talks to others of its cluster. */
    private static final int BUS_OFFSET = 10_000;

    private static @Nullable RedisServer shared;

    private final Path directory;
    private final String program;
    private final String option;
    private final List<String> options;
    private int port;
    private @Nullable Process process;

    private RedisServer(Path directory, String program, String option, List<String> options) {
        this.directory = directory;
        this.program = program;
        this.option = option;
        this.options = options;
    }

    /** One for all tests of this JVM that need no options; it ends with the JVM. */
    public static synchronized RedisServer shared() throws IOException {
        RedisServer there = shared;
        if (there == null) {
            there = start();
            shared = there;
            Runtime.getRuntime().addShutdownHook(new Thread(there::close));
        }
        return there;
    }

    /** Starts one with options of its command line. */
    public static RedisServer start(String... options) throws IOException {
        return launch("redis-server", "--port", options);
    }

    /** Starts one that speaks TLS on its port. */
    public static RedisServer startTls(String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of("--port", "0"));
        all.addAll(List.of(options));
        return launch("redis-server", "--tls-port", all.toArray(String[]::new));
    }

    static RedisServer launch(String program, String portOption, String... options) throws IOException {
        Path directory = Files.createTempDirectory("redis");
        RedisServer server = new RedisServer(directory, program, portOption, List.of(options));
        for (int i = 1; !server.startAt(anyPort()); i++) {
            if (i == ATTEMPTS) {
                throw new IOException(program + " does not start: " + Files.readString(server.log()));
            }
        }
        return server;
    }

    /**
     * A port that the system gives to nobody who asks for any, so that it is still free when a server is started again; nor does it
     * give away the one by which nodes of a cluster talk. Whether somebody else has chosen it, the start finds out.
     */
    private static int anyPort() throws IOException {
        Path range = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
        int first = FIRST_EPHEMERAL;
        if (Files.exists(range)) {
            try (Scanner numbers = new Scanner(range, StandardCharsets.US_ASCII)) {
                first = numbers.nextInt();
            }
        }
        int end = first - BUS_OFFSET > 2 * LEAST_PORT ? first : FIRST_EPHEMERAL; // some machines leave little room
        return ThreadLocalRandom.current().nextInt(LEAST_PORT, end - BUS_OFFSET);
    }

    private Path log() {
        return directory.resolve("log");
    }

    private boolean startAt(int chosen) throws IOException {
        port = chosen;
        List<String> command = new ArrayList<>(List.of(program));
        if (program.endsWith("sentinel")) {
            Path configuration = directory.resolve("sentinel.conf");
            if (Files.notExists(configuration)) {
                Files.write(configuration, options);
            }
            command.addAll(List.of(configuration.toString(), option, String.valueOf(chosen)));
        } else {
            command.addAll(List.of(option, String.valueOf(chosen), "--save", "", "--appendonly", "no"));
            command.addAll(options);
        }
        command.addAll(List.of("--bind", "127.0.0.1", "--dir", directory.toString()));
        Process started = new ProcessBuilder(command).redirectErrorStream(true).start();
        process = started;
        BufferedReader lines = started.inputReader();
        StringBuilder said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.append(line).append('\n');
            if (line.contains("Ready to accept connections")
                    || line.contains("Sentinel ID is")
                    || line.contains("+monitor")) {
                Thread drain = new Thread(() -> drain(lines), "redis-output");
                drain.setDaemon(true);
                drain.start();
                return true;
            }
        }
        Files.writeString(log(), said.toString());
        return false;
    }

    private static void drain(BufferedReader lines) {
        try {
            while (lines.readLine() != null) {
                // it would block if nobody read what it says
            }
        } catch (IOException closed) {
            // it has ended
        }
    }

    public int port() {
        return port;
    }

    /** Its address without a password. */
    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** Ends it as by kill -9: what it has in memory is lost. */
    public void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly().onExit().join();
            process = null;
        }
    }

    /** Sends a signal: with STOP it accepts connections and answers nothing, until CONT. */
    public void signal(String name) throws IOException {
        Process running = process;
        if (running != null) {
            try {
                new ProcessBuilder("kill", "-" + name, String.valueOf(running.pid()))
                        .inheritIO()
                        .start()
                        .waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    /** Starts it again on its port. */
    public void restart() throws IOException {
        kill();
        if (!startAt(port)) {
            throw new IOException("redis-server does not start again: " + Files.readString(log()));
        }
    }

    @Override
    public void close() {
        kill();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
