package io.millrace.standalone;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** What the threads of another Java process are doing, by jcmd. */
final class ThreadDump {

    private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");

    private ThreadDump() {}

    static String of(long pid) {
        try {
            Process jcmd = new ProcessBuilder(JCMD.toString(), Long.toString(pid), "Thread.print")
                    .redirectErrorStream(true)
                    .start();
            return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
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
}
