package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The start-up archive of {@code millrace archive} … */
final class ArchiveIT {

    private static final String MAIN = "io.millrace.standalone.Main source: shared objects file";

    private static final int MINUTES = 4;

    @TempDir
    private Path home = Path.of("");

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

        Files.write(archives().get(0), new byte[100]);
        assertTrue(versionOf(environment).startsWith("Millrace"), "one that is damaged is passed over without a word");

        Path jar = jar("millrace-standalone");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));
        assertTrue(versionOf(environment).startsWith("Millrace"));
        assertTrue(!classesOf(environment).contains(MAIN));
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
        try (Stream<Path> files = Files.list(home.resolve("archive"))) {
            return files.toList();
        }
    }

    private void copyDistribution() throws Exception {
        Path distribution = Path.of(System.getProperty("millrace.dist", ""));
        for (String part : List.of("bin", "conf", "lib")) {
            Command.succeed("cp", "-Rp", distribution.resolve(part).toString(), home.toString());
        }
    }
}
