package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the start script passes to Java … A Java that prints its arguments, one to a line in brackets, stands in for it. */
final class LauncherIT {

    private static final String ECHO = "#!/bin/sh\nfor word in \"$@\"; do printf '[%s]\\n' \"$word\"; done\n";

    private static final String RELEASE = "JAVA_VERSION=\"17.0.1\"\n";

    @TempDir
    private Path directory = Path.of("");

    private Path base = Path.of("");
    private Path java = Path.of("");

    @BeforeEach
    void layOut() throws Exception {
        base = Files.createDirectories(directory.resolve("base"));
        Files.createDirectories(base.resolve("bin"));
        Files.createDirectories(base.resolve("conf"));
        java = echo("java");
    }

    static Stream<Arguments> options() {
        return Stream.of(
                Arguments.of("-Dx.plain=a", List.of("-Dx.plain=a")),
                Arguments.of("  -Dx.a=1   -Dx.b=2 ", List.of("-Dx.a=1", "-Dx.b=2")),
                Arguments.of("-Dx.quoted='a b'", List.of("-Dx.quoted=a b")),
                Arguments.of("\"-Dx.whole=a b\"", List.of("-Dx.whole=a b")),
                Arguments.of("-Dx.bar=\"localhost|127.0.0.1\"", List.of("-Dx.bar=localhost|127.0.0.1")),
                Arguments.of("-Dx.bar=\\\"localhost\\\"", List.of("-Dx.bar=\"localhost\"")),
                Arguments.of("-Dx.escaped=a\\ b", List.of("-Dx.escaped=a b")),
                Arguments.of("-Dx.home=$OWN_DIRECTORY/x -Dx.more=1", List.of("-Dx.home=/own/x", "-Dx.more=1")),
                Arguments.of("-Dx.unset=[$NOT_SET_AT_ALL]", List.of("-Dx.unset=[]")),
                Arguments.of("-Dx.in='$OWN_DIRECTORY'", List.of("-Dx.in=$OWN_DIRECTORY")),
                Arguments.of("-Dx.equals=a=b -Dx.comma=a,b", List.of("-Dx.equals=a=b", "-Dx.comma=a,b")));
    }

    @ParameterizedTest
    @MethodSource("options")
    void readsOptionsAsAShellDoes(String text, List<String> expected) throws Exception {
        assertEquals(expected, own(start(Map.of("JAVA_OPTS", text))));
        assertEquals(expected, own(start(Map.of("CATALINA_OPTS", text))));
        Files.writeString(base.resolve("bin/setenv.sh"), "CATALINA_OPTS=$FROM_OUTSIDE\n");
        assertEquals(expected, own(start(Map.of("FROM_OUTSIDE", text))));
    }

    /** The same table through Tomcat's own script. */
    @Tag("wars")
    @ParameterizedTest
    @MethodSource("options")
    void readsOptionsAsTomcatsScriptDoes(String text, List<String> expected) throws Exception {
        Path wars = Path.of(System.getProperty("millrace.wars", ""));
        Path script;
        try (Stream<Path> homes = Files.list(wars)) {
            script = homes.map(home -> home.resolve("bin/catalina.sh"))
                    .filter(Files::isRegularFile)
                    .findFirst()
                    .orElseThrow();
        }
        for (String variable : List.of("JAVA_OPTS", "CATALINA_OPTS")) {
            Map<String, String> environment = environment(Map.of(variable, text));
            environment.put("CATALINA_BASE", base.toString());
            assertEquals(expected, own(Command.succeed(environment, "sh", script.toString(), "run")));
        }
    }

    @Test
    void takesOptionsWithoutQuotationMarksAsTheyAre() throws Exception {
        assertEquals(
                List.of("-Dx.bar=localhost|127.0.0.1", "-Dx.star=*;&"),
                own(start(Map.of("JAVA_OPTS", "-Dx.bar=localhost|127.0.0.1 -Dx.star=*;&"))));
    }

    @Test
    void refusesOptionsThatNoShellCanRead() throws Exception {
        Command command = Command.run(
                "",
                environment(Map.of("JAVA_OPTS", "-Dx.a='open")),
                List.of(script(), "start", "--base", base.toString()));
        assertEquals(1, command.status());
        assertTrue(command.output().contains("millrace: cannot read JAVA_OPTS"), command::output);
    }

    @Test
    void givesCheckNoOptionThatBelongsToTheRunningServer() throws Exception {
        String options = "-Dx.kept=1 -agentlib:jdwp=transport=dt_socket,server=y,address=5005 -javaagent:a.jar"
                + " -Dcom.sun.management.jmxremote.port=9010 -Xlog:gc:/srv/gc.log -Xmx4g -XX:StartFlightRecording -XX:+UseSerialGC";
        Map<String, String> environment = environment(Map.of("CATALINA_OPTS", options, "JAVA_OPTS", options));
        String check = Command.succeed(
                environment, script(), "check", base.resolve("conf/server.xml").toString());
        for (String word : List.of("agent", "jmxremote", "-Xlog", "-Xmx", "FlightRecording")) {
            assertTrue(!check.contains(word), check);
        }
        assertEquals(List.of("-Dx.kept=1", "-Dx.kept=1"), own(check));
        assertTrue(check.contains("[-XX:+UseSerialGC]"), check);
        assertTrue(start(environment).contains("[-Dcom.sun.management.jmxremote.port=9010]"));

        // which Java itself reads
        Files.writeString(
                java.resolve("bin/java"),
                "#!/bin/sh\necho \"[$JAVA_TOOL_OPTIONS][$JDK_JAVA_OPTIONS][$_JAVA_OPTIONS]\"\n");
        Map<String, String> ofJava = environment(Map.of(
                "JAVA_TOOL_OPTIONS", options,
                "JDK_JAVA_OPTIONS", "\"-javaagent:a b.jar\" -Dx=1",
                "_JAVA_OPTIONS", "-Dx='a b'"));
        String file = base.resolve("conf/server.xml").toString();
        assertEquals(
                "[ -Dx.kept=1 -XX:+UseSerialGC][][-Dx='a b']",
                Command.succeed(ofJava, script(), "check", file).strip());
        assertTrue(start(ofJava).contains("-javaagent:a b.jar"));
    }

    /** As in a container whose root is read-only, with the temp of a whole Tomcat directory. */
    @Test
    void leavesTemporaryFilesToTheSystemWhereThoseOfTheBaseAreReadOnly() throws Exception {
        assumeTrue(Command.run("", Map.of(), List.of("unshare", "-m", "true")).status() == 0, "needs unshare -m");
        Files.createDirectories(base.resolve("temp"));
        String option = "[-Djava.io.tmpdir=" + base.resolve("temp") + "]";
        assertTrue(start(Map.of()).contains(option));
        String readOnly =
                "mount --bind \"$2\" \"$2\" && mount -o remount,bind,ro \"$2\" && exec \"$1\" start --base \"$2\"";
        Command command = Command.run(
                "",
                environment(Map.of()),
                List.of("unshare", "-m", "sh", "-c", readOnly, "sh", script(), base.toString()));
        assertEquals(0, command.status(), command::output);
        assertTrue(!command.output().contains("java.io.tmpdir"), command::output);
    }

    /** The later of two wins in Java. */
    @Test
    void takesTheLoggingConfigurationByBothNamesBeforeOtherOptions() throws Exception {
        assertEquals(
                List.of("-Dx.new=1", "-Dx.more=1"),
                own(start(Map.of(
                        "CATALINA_LOGGING_CONFIG",
                        "-Dx.new=1",
                        "LOGGING_CONFIG",
                        "-Dx.old=1",
                        "JAVA_OPTS",
                        "-Dx.more=1"))));
        assertEquals(
                List.of("-Dx.old=1", "-Dx.more=1"),
                own(start(Map.of("LOGGING_CONFIG", "-Dx.old=1", "CATALINA_OPTS", "-Dx.more=1"))));
        assertEquals(List.of(), own(start(Map.of("LOGGING_CONFIG", "not an option"))));
    }

    /** As in catalina.sh, where a blank in it belongs to a file's name. */
    @Test
    void takesTheLoggingConfigurationAsOneOption() throws Exception {
        assertEquals(
                List.of("-Dx.file=/srv/my base/x.properties", "-Dx.more=1"),
                own(start(Map.of(
                        "CATALINA_LOGGING_CONFIG", "-Dx.file=/srv/my base/x.properties", "JAVA_OPTS", "-Dx.more=1"))));
        assertEquals(
                List.of("-Dx.file=/own/my x.properties"),
                own(start(Map.of("CATALINA_LOGGING_CONFIG", "-Dx.file=$OWN_DIRECTORY/my x.properties"))));
    }

    /** Tomcat's own is the server's, whoever names it. */
    @Test
    void takesAnotherLogManagerAndOptionsOfTls() throws Exception {
        String manager = "-Djava.util.logging.manager=";
        String juli = manager + "org.apache.juli.ClassLoaderLogManager";
        String ours = "[" + manager + "io.millrace.standalone.log.ServerLogManager]";
        assertTrue(start(Map.of()).contains(ours));
        for (String variable : List.of("LOGGING_MANAGER", "JAVA_OPTS", "CATALINA_OPTS")) {
            String other = start(Map.of(variable, manager + "org.example.Own"));
            assertTrue(other.lastIndexOf(manager) == other.indexOf(manager + "org.example.Own"), other);
            String same = start(Map.of(variable, juli));
            assertTrue(!same.contains(juli) && same.contains(ours), same);
        }
        assertEquals(
                List.of("-Dx.a=1", "-Dx.tls=2"), own(start(Map.of("JAVA_OPTS", "-Dx.a=1", "JSSE_OPTS", "-Dx.tls=2"))));
    }

    @Test
    void readsOptionsWhateverSetenvLeavesBehind() throws Exception {
        Files.writeString(
                base.resolve("bin/setenv.sh"),
                "IFS=:\nCATALINA_OPTS='-Dx.a=1\n\t-Dx.b=2  -Dx.c=a:b'\ncd /\nset -e -o noglob\nfalse || set --\n");
        assertEquals(List.of("-Dx.a=1", "-Dx.b=2", "-Dx.c=a:b"), own(start(Map.of())));
    }

    @Test
    void prefersJreHomeAsTomcatsScriptDoes() throws Exception {
        Path other = echo("other");
        Files.writeString(other.resolve("bin/java"), "#!/bin/sh\necho the other Java\n");
        assertEquals("the other Java\n", start(Map.of("JRE_HOME", other.toString())));
    }

    /** In a container the new process has the id of the one that was killed. */
    @Test
    void startsWhereTheFileOfTheProcessIdNamesItselfOrNoJava() throws Exception {
        Path file = base.resolve("server.pid");
        Map<String, String> environment = environment(Map.of("CATALINA_PID", file.toString()));
        List<String> start = List.of(
                "sh",
                "-c",
                "echo $$ >\"$1\"; exec \"$2\" start --base \"$3\"",
                "sh",
                file.toString(),
                script(),
                base.toString());
        Command own = Command.run("", environment, start);
        assertEquals(0, own.status(), own::output);

        Process sleeper = Command.start(List.of("sleep", "60"));
        try {
            Files.writeString(file, sleeper.pid() + "\n");
            start(Map.of("CATALINA_PID", file.toString()));
        } finally {
            sleeper.destroy();
        }

        Files.writeString(file, ProcessHandle.current().pid() + "\n");
        Command refused = Command.run("", environment, List.of(script(), "start", "--base", base.toString()));
        assertEquals(1, refused.status());
        assertTrue(refused.output().contains("which is running"), refused::output);
    }

    private String start(Map<String, String> more) throws Exception {
        return Command.succeed(environment(more), script(), "start", "--base", base.toString());
    }

    private Map<String, String> environment(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(Map.of(
                "JAVA_HOME",
                java.toString(),
                "JRE_HOME",
                "",
                "OWN_DIRECTORY",
                "/own",
                "JAVA_OPTS",
                "",
                "CATALINA_OPTS",
                ""));
        all.putAll(more);
        return all;
    }

    private Path echo(String name) throws Exception {
        Path home = Files.createDirectories(directory.resolve(name));
        Path program = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(program, ECHO);
        Files.writeString(home.resolve("release"), RELEASE);
        assertTrue(program.toFile().setExecutable(true));
        return home;
    }

    /** The system properties whose names begin with x. */
    private static List<String> own(String output) {
        return output.lines()
                .filter(line -> line.startsWith("[-Dx."))
                .map(line -> line.substring(1, line.length() - 1))
                .toList();
    }

    private static String script() {
        return Path.of(System.getProperty("millrace.dist", ""))
                .resolve("bin/millrace")
                .toString();
    }
}
