package io.millrace.standalone.shootout;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a process of its own: {@code millrace start} with the options of this JVM. It ends when this process does, however that ends. */
public final class ServerProcess implements AutoCloseable {

    /** By name: the class calls the commands, of which a shoot-out is one. */
    private static final String COMMANDS = "io.millrace.standalone.Main";

    private static final Pattern URL = Pattern.compile("https?://(?:localhost|127\\.0\\.0\\.1):(\\d{1,5})(?:/.*)?");

    private static final int LONGEST_START_SECONDS = 120;
    private static final int KEPT_LINES = 20;

    private final Process process;
    private final Deque<String> lines = new ArrayDeque<>();
    private final CompletableFuture<Integer> port = new CompletableFuture<>();

    private ServerProcess(Process process) {
        this.process = process;
    }

    /** The process of the server: its words are a command's. */
    public static void main(String[] words) throws ReflectiveOperationException {
        Thread watch = new Thread(ServerProcess::awaitParent, "shootout-parent");
        watch.setDaemon(true);
        watch.start();
        Class.forName(COMMANDS).getMethod("main", String[].class).invoke(null, (Object) words);
    }

    /** Its standard input ends with the process that started it. */
    private static void awaitParent() {
        try {
            int next = System.in.read();
            while (next >= 0) {
                next = System.in.read();
            }
        } catch (IOException ended) {
            // as well
        }
        Runtime.getRuntime().halt(1);
    }

    /**
     * Starts it, and returns at once.
     *
     * @param base its base directory
     * @param heap in MiB
     */
    static ServerProcess start(Path base, int heap) throws IOException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(ServerProcess::isForServers)
                .forEach(words::add);
        words.addAll(List.of("-Xms" + heap + "m", "-Xmx" + heap + "m"));
        words.addAll(List.of("-cp", System.getProperty("java.class.path", "")));
        words.addAll(List.of(ServerProcess.class.getName(), "start", "--base", base.toString(), "--strict"));
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(base.toFile()).redirectErrorStream(true);
        ServerProcess server = new ServerProcess(builder.start());
        Thread reader = new Thread(server::read, "shootout-output");
        reader.setDaemon(true);
        reader.start();
        return server;
    }

    /** Without what is of this process alone, and what delays the compilers in favour of the start. */
    private static boolean isForServers(String option) {
        return !option.startsWith("-Dmillrace.archive")
                && !option.startsWith("-Dmillrace.pid")
                && !option.startsWith("-Xm")
                && !option.startsWith("-XX:Tier4")
                && !option.startsWith("-Dcom.sun.management.")
                && !option.startsWith("-agentlib:")
                && !option.startsWith("-javaagent:");
    }

    private void read() {
        int printed = 0; // the last one: applications may print others, before the server's
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                keep(line);
                Matcher url = URL.matcher(line);
                if (url.matches()) {
                    printed = Integer.parseInt(url.group(1));
                }
                if (line.contains(" is ready after ") && printed > 0) {
                    port.complete(printed);
                }
            }
        } catch (IOException killed) {
            // what it printed last says why
        }
        port.completeExceptionally(new IOException(lastWords()));
    }

    private synchronized void keep(String line) {
        if (lines.size() == KEPT_LINES) {
            lines.removeFirst();
        }
        lines.addLast(line);
    }

    private synchronized String lastWords() {
        return lines.isEmpty() ? "it printed nothing" : String.join("\n", lines);
    }

    /**
     * Waits until it serves, and returns its port.
     *
     * @throws IOException if it does not; the message is what it printed last
     */
    int awaitPort() throws IOException, InterruptedException {
        try {
            return port.get(LONGEST_START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException(
                    String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()));
        } catch (TimeoutException e) {
            throw new IOException("it did not start in " + LONGEST_START_SECONDS + " s:\n" + lastWords());
        }
    }

    long pid() {
        return process.pid();
    }

    /** Ends it at once, and waits for its end. By the handle, since the process itself would close the stream that is read. */
    @Override
    public void close() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }
}
