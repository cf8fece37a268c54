package io.millrace.standalone;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the threads of a Java process are doing, the virtual ones with them, by jcmd. */
final class ThreadDump {

    private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");

    private ThreadDump() {}

    static String of(long pid) {
        try {
            return platformThreads(pid) + virtualThreads(pid);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until some thread is in a class. */
    static void awaitFrame(long pid, String className) {
        Deadline.await("a thread in " + className, () -> of(pid).contains(className));
    }

    /** Waits until no thread is in a class. */
    static void awaitNoFrame(long pid, String className) {
        Deadline.await("no thread in " + className, () -> !of(pid).contains(className));
    }

    /** Waits until as many threads are in a method. */
    static void awaitFrames(long pid, String method, int threads) {
        Deadline.await(threads + " threads in " + method, () -> count(of(pid), method) >= threads);
    }

    private static int count(String text, String word) {
        return text.split(Pattern.quote(word), -1).length - 1;
    }

    /** Without those that carry a virtual thread, whose frames would be counted twice. */
    private static String platformThreads(long pid) throws IOException {
        return Arrays.stream(jcmd(pid, "Thread.print").split("\n\n", -1))
                .filter(thread -> !thread.contains("Carrying virtual thread"))
                .collect(Collectors.joining("\n\n"));
    }

    /** Those that Thread.print leaves out; nothing where there are none, before Java 21. */
    private static String virtualThreads(long pid) throws IOException {
        if (Runtime.version().feature() < 21) {
            return "";
        }
        Path file = Files.createTempFile("threads", ".txt");
        try {
            jcmd(pid, "Thread.dump_to_file", "-overwrite", file.toString());
            return Arrays.stream(Files.readString(file).split("\n\n"))
                    .filter(thread -> thread.contains(" virtual"))
                    .collect(Collectors.joining("\n\n"));
        } finally {
            Files.delete(file);
        }
    }

    private static String jcmd(long pid, String... command) throws IOException {
        List<String> words = new ArrayList<>(List.of(JCMD.toString(), Long.toString(pid)));
        words.addAll(List.of(command));
        // not by a pipe: this JVM, which may be the one asked, reads nothing while its threads are listed
        Path output = Files.createTempFile("jcmd", ".txt");
        try {
            new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start()
                    .onExit()
                    .join();
            return Files.readString(output, StandardCharsets.UTF_8);
        } finally {
            Files.delete(output);
        }
    }
}
