package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.standalone.archive.ArchiveCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The start-up archive of {@code millrace archive} … */
final class ArchiveIT {

    private static final String SHARED = "source: shared objects file";

    private static final String MAIN = "io.millrace.standalone.Main " + SHARED;

    private static final int MINUTES = 4;

    @TempDir
    private Path home = Path.of("");

    @TempDir
    private Path work = Path.of("");

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void isUsedUntilAJarChanges(int java) throws Exception {
        assumeTrue(InstalledJava.home(java).isPresent());
        Map<String, String> environment =
                Map.of("JAVA_HOME", InstalledJava.home(java).orElseThrow().toString());
        copyDistribution();
        String made = make(environment);
        assertTrue(made.contains("starts with Java " + java), made);
        assertEquals(1, archives().size(), archives()::toString);
        assertTrue(classesOf(environment).contains(MAIN));
        assertEquals(1, archives(file -> file.contains("-commands.")).size());
        assertTrue(classesOfACommand(environment).contains("io.millrace.standalone.operator.Operator " + SHARED));

        Files.write(archives().get(0), new byte[100]);
        assertTrue(versionOf(environment).startsWith("Millrace"), "one that is damaged is passed over without a word");

        Path jar = jar("millrace-standalone");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));
        assertTrue(versionOf(environment).startsWith("Millrace"));
        assertTrue(!classesOf(environment).contains(MAIN));
    }

    @Test
    void isCreatedByOneProcessAtATime() throws Exception {
        copyDistribution();
        Path directory = Files.createDirectories(home.resolve("archive"));
        try (FileChannel channel = FileChannel.open(
                        directory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            for (int i = 0; i < 2; i++) {
                Command refused =
                        Command.run("", List.of(home.resolve("bin/millrace").toString(), "archive"));
                assertTrue(refused.output().contains(ArchiveCommand.BEING_CREATED), refused::output);
            }
            assertTrue(held.isValid());
        }
    }

    @Test
    void survivesAMoveOnJava25() throws Exception {
        assumeTrue(InstalledJava.home(25).isPresent());
        Map<String, String> environment =
                Map.of("JAVA_HOME", InstalledJava.home(25).orElseThrow().toString());
        copyDistribution();
        make(environment);
        Path moved = Files.createDirectory(home.resolve("moved"));
        for (String part : List.of("archive", "bin", "conf", "lib")) {
            Command.succeed("cp", "-Rp", home.resolve(part).toString(), moved.toString());
        }
        home = moved;
        String version = versionOf(environment);
        assertTrue(version.contains("Archive    " + archives().get(0)), version);
        assertTrue(classesOf(environment).contains(MAIN));
    }

    /** The debugger's port is taken by the server: the process that creates the archive must not get its options. */
    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void isCreatedInTheBackgroundByTheFirstStart(int java) throws Exception {
        assumeTrue(InstalledJava.home(java).isPresent());
        String javaHome = InstalledJava.home(java).orElseThrow().toString();
        copyDistribution();
        Map<String, String> environment = Map.of(
                "JAVA_HOME",
                javaHome,
                "JAVA_OPTS",
                "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0",
                "UMASK",
                "0077");
        Process server = server(environment);
        try {
            String output = readUntil(server, "Created the class archive ");
            assertTrue(output.contains("in all, no class archive yet"), output);
        } finally {
            stop(server);
        }
        assertEquals(1, archives().size(), archives()::toString);
        assertTrue(Files.getPosixFilePermissions(archives().get(0)).contains(PosixFilePermission.OTHERS_READ));
        assertTrue(versionOf(Map.of("JAVA_HOME", javaHome))
                .contains("Archive    " + archives().get(0)));
        Process again = server(Map.of("JAVA_HOME", javaHome));
        try {
            readUntil(again, "in all, class archive in use");
        } finally {
            stop(again);
        }
    }

    @Test
    void isNeitherUsedNorCreatedWhereItIsOff() throws Exception {
        copyDistribution();
        assertTrue(versionOf(Map.of("MILLRACE_ARCHIVE", "off")).contains("Archive    off"));
        Process server = server(Map.of("MILLRACE_ARCHIVE", "off"));
        try {
            readUntil(server, "in all, class archive off");
        } finally {
            stop(server);
        }
        assertTrue(Files.notExists(home.resolve("archive")));
    }

    /** A read-only mount, as root may write everywhere else. */
    @Test
    void saysThatItCannotBeCreatedInAReadOnlyDirectory() throws Exception {
        assumeTrue(Command.run("", Map.of(), List.of("unshare", "-m", "true")).status() == 0, "needs unshare -m");
        copyDistribution();
        Path base = Files.createDirectory(work.resolve("base"));
        String script =
                "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" && exec \"$1/bin/millrace\" start --base \"$2\"";
        Process server = Command.start(
                Map.of("MILLRACE_HTTP_PORT", "0"),
                List.of("unshare", "-m", "sh", "-c", script, "sh", home.toString(), base.toString()));
        try {
            String output = readUntil(server, "MILLRACE0611");
            assertTrue(output.contains("no class archive yet"), output);
        } finally {
            stop(server);
        }
    }

    @Test
    void yieldsToWhatAnOperatorSaysOfArchives() throws Exception {
        copyDistribution();
        Files.createDirectories(home.resolve("archive"));
        assertTrue(versionOf(Map.of("JAVA_OPTS", "-Xshare:off")).startsWith("Millrace"));
    }

    @Test
    void isRefusedWhereItCannotBeWritten() throws Exception {
        copyDistribution();
        Files.writeString(home.resolve("archive"), "a file where the directory should be");
        Command command = Command.run("", Map.of(), List.of(script(), "archive"));
        assertEquals(1, command.status());
        assertTrue(command.output().contains("millrace: cannot create the archive ("), command::output);
    }

    private Process server(Map<String, String> environment) throws Exception {
        Map<String, String> all = new HashMap<>(environment);
        all.put("MILLRACE_HTTP_PORT", "0");
        Path base = Files.createDirectories(work.resolve("base"));
        return Command.start(all, List.of(script(), "start", "--base", base.toString()));
    }

    /** Returns the output up to the line that contains the text. */
    private static String readUntil(Process server, String text) throws Exception {
        StringBuilder output = new StringBuilder();
        BufferedReader reader = server.inputReader();
        CompletableFuture<Boolean> found = CompletableFuture.supplyAsync(() -> {
            for (String line : (Iterable<String>) reader.lines()::iterator) {
                output.append(line).append('\n');
                if (line.contains(text)) {
                    return true;
                }
            }
            return false;
        });
        assertTrue(found.get(MINUTES, TimeUnit.MINUTES), output::toString);
        return output.toString();
    }

    private static void stop(Process server) throws Exception {
        server.destroy();
        assertTrue(server.waitFor(1, TimeUnit.MINUTES));
    }

    /** Two starts of the server, one of which writes it: longer than other commands on a busy machine. */
    private String make(Map<String, String> environment) throws Exception {
        Process process = Command.start(environment, List.of(script(), "archive"));
        CompletableFuture<String> output = Command.outputOf(process);
        assertTrue(process.waitFor(MINUTES, TimeUnit.MINUTES));
        assertEquals(0, process.exitValue(), output.join());
        return output.join();
    }

    private String classesOf(Map<String, String> environment) throws Exception {
        String version = environment.getOrDefault("JAVA_HOME", System.getProperty("java.home"));
        return Command.succeed(Map.of("JAVA_HOME", version, "JAVA_OPTS", "-Xlog:class+load"), script(), "version");
    }

    /** No server is there, which it says. */
    private String classesOfACommand(Map<String, String> environment) throws Exception {
        Map<String, String> all = new HashMap<>(environment);
        all.put("JDK_JAVA_OPTIONS", "-Xlog:class+load");
        return Command.run("", all, List.of(script(), "list", "--base", work.toString()))
                .output();
    }

    private String versionOf(Map<String, String> environment) throws Exception {
        return Command.succeed(environment, script(), "version");
    }

    private String script() {
        return home.resolve("bin/millrace").toString();
    }

    private Path jar(String name) throws IOException {
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            return jars.filter(jar -> jar.getFileName().toString().startsWith(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private List<Path> archives() throws IOException {
        return archives(file -> !file.contains("-commands.") && !file.equals(".lock"));
    }

    private List<Path> archives(Predicate<String> name) throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("archive"))) {
            return files.filter(file -> name.test(file.getFileName().toString()))
                    .toList();
        }
    }

    private void copyDistribution() throws Exception {
        Path distribution = Path.of(System.getProperty("millrace.dist", ""));
        for (String part : List.of("bin", "conf", "lib")) {
            Command.succeed("cp", "-Rp", distribution.resolve(part).toString(), home.toString());
        }
    }
}
