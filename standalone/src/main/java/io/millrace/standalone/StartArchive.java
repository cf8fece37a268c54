package io.millrace.standalone;

import io.millrace.standalone.archive.ArchiveCommand;
import io.millrace.standalone.log.StandaloneLog;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The class archive of this start, as the start script names it, and its creation in the background where there is none: after
 * an installation, a move, or a change of Java. A process of the lowest priority creates it, so that requests have the processors.
 */
final class StartArchive {

    /** Whether this start used an archive. */
    enum State {
        /** Classes come from the archive. */
        USED,
        /** There is one for this Java and these jars, but the JVM rejected it, for instance because of other JVM options. */
        REJECTED,
        /** There is none for this Java, these jars and, before Java 25, this directory. */
        MISSING,
        /** MILLRACE_ARCHIVE=off, options of the JVM that concern archives, or a start without the script. */
        OFF
    }

    /** Variables that the JVM itself reads, so that the start script cannot leave out agents and ports of debuggers or JMX. */
    private static final List<String> OPTIONS = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

    private static final int DEADLINE_MINUTES = 5;

    private final State state;
    private final @Nullable Path file;
    private final Path home;

    private StartArchive(State state, @Nullable Path file, Path home) {
        this.state = state;
        this.file = file;
        this.home = home;
    }

    /** Of this JVM. */
    static StartArchive current() {
        String name = System.getProperty("millrace.archive", "");
        String home = System.getProperty("millrace.home", "");
        if (name.isEmpty() || home.isEmpty()) {
            return new StartArchive(State.OFF, null, Path.of(home));
        }
        State state = State.MISSING;
        if (Boolean.getBoolean("millrace.archive.given")) {
            // as java -version prints it: without "sharing" the JVM maps no archive at all
            boolean isMapped = System.getProperty("java.vm.info", "").contains("sharing");
            state = isMapped ? State.USED : State.REJECTED;
        }
        return new StartArchive(state, Path.of(name), Path.of(home));
    }

    /** For people: what is used, or why nothing is. */
    String describe() {
        return switch (state) {
            case USED -> String.valueOf(file);
            case REJECTED -> "not used: the JVM rejected " + file + ", which was created with other JVM options";
            case MISSING ->
                "none for this Java and directory; 'millrace archive' creates it, as does the first start of a server";
            case OFF -> "off";
        };
    }

    /** In a few words, for the line that says that the server is ready. */
    String summary() {
        return switch (state) {
            case USED -> "class archive in use";
            case REJECTED -> "class archive rejected by the JVM";
            case MISSING -> "no class archive yet";
            case OFF -> "class archive off";
        };
    }

    /**
     * Creates a missing archive, in the background: returns at once. Once per start the log has a line that says that it was
     * created, or why it cannot be. Call it when the server is ready.
     */
    void createIfMissing() {
        if (state != State.MISSING || file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        Path written = directory != null && Files.exists(directory) ? directory : home;
        if (!Files.isWritable(written)) {
            StandaloneLog.SERVER.archiveNotWritable(written.toString());
            return;
        }
        try {
            Thread thread = new Thread(() -> create(file), "class archive");
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError noThread) {
            StandaloneLog.SERVER.archiveNotCreated(noThread.toString());
        }
    }

    private void create(Path archive) {
        try {
            Process process = creator().start();
            boolean hasEnded = process.waitFor(DEADLINE_MINUTES, TimeUnit.MINUTES);
            String output = "it took more than " + DEADLINE_MINUTES + " minutes";
            if (hasEnded) {
                output = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset()).strip();
            } else {
                process.destroyForcibly();
            }
            if (Files.isRegularFile(archive)) {
                StandaloneLog.SERVER.archiveCreated(archive.toString());
            } else if (!output.contains(ArchiveCommand.BEING_CREATED)) {
                StandaloneLog.SERVER.archiveNotCreated(output);
            }
        } catch (IOException e) {
            StandaloneLog.SERVER.archiveNotCreated(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ProcessBuilder creator() {
        List<String> words = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/nice"))) {
            words.addAll(List.of("/usr/bin/nice", "-n", "19"));
        }
        words.add(home.resolve("bin/millrace").toString());
        words.add("archive");
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        OPTIONS.forEach(builder.environment()::remove);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }
}
